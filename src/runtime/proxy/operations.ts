// Not emitted: a project has its own.

/** What is exported where operations are written once: they, and tables of columns, which have no name. */
export declare function listOperations(): readonly object[];

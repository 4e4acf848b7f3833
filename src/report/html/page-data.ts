import type { StyleName } from "../../dialects/surface.ts";
import type { ImpactKind, Severity } from "../finding.ts";
import type { ExitCode, Verdict } from "../outcome.ts";

// What the page is given: the words that are shown, and nothing that has to be worked out in a browser.

/** All that a page shows. */
export type PageData = {
  readonly exit: ExitCode;
  /** What was run, and when: `lockflow drift`. */
  readonly command: string;
  readonly startedAt: string;
  /** How many deployments and operations it is about. */
  readonly deployments: number;
  readonly operations: number;
  /** Null where nothing is known of deployments. */
  readonly fleet: FleetData | null;
  /** Null where the styles were not compared. */
  readonly parity: readonly ParityData[] | null;
  readonly coverage: CoverageData;
  readonly findings: readonly FindingData[];
  /** How many findings are left out, because no page could show them. */
  readonly more: number;
  readonly sources: readonly SourceData[];
};

/** What became of an endpoint, in the words of the legend. */
export type FleetState =
  | "same"
  | "variant"
  | "accepted"
  | "drifted"
  | "wrong"
  | "failing"
  | "silent"
  | "dormant"
  | "retired"
  | "skipped";

/** The fleet as a grid of chains and surfaces. */
export type FleetData = {
  /** Whether somebody was asked; else it is what the snapshots say. */
  readonly isLive: boolean;
  readonly surfaces: readonly FleetSurface[];
  /** Keys in code-unit order. */
  readonly chains: readonly string[];
  readonly endpoints: readonly FleetEndpoint[];
};

/** A column of the fleet. */
export type FleetSurface = {
  readonly id: string;
  readonly protocol: string;
  readonly style: StyleName;
  /** What most of its deployments run; null where nobody knows. */
  readonly release: string | null;
};

/** One deployment, which has a cell for each of its chains. */
export type FleetEndpoint = {
  readonly deployment: string;
  /** The index of its surface. */
  readonly surface: number;
  readonly chains: readonly string[];
  readonly state: FleetState;
  /** What to say of it in a few words; empty where its state says it all. */
  readonly note: string;
  readonly message: string;
  /** The day since which it has not answered; null where nobody knows. */
  readonly silentSince: string | null;
  /** Its release, where it is not that of its surface. */
  readonly release: string | null;
  /** Whether findings are about it. */
  readonly isFound: boolean;
  readonly heads: readonly FleetHead[];
};

/** The newest block of an endpoint. */
export type FleetHead = {
  readonly chain: string;
  readonly block: number;
  readonly behind: number;
  readonly madeAt: string | null;
  readonly since: string | null;
  /** Heads over time, as Unix seconds and blocks, the oldest first; none without a memory. */
  readonly line: readonly (readonly [time: number, block: number])[];
};

/** How the styles of one protocol agree. */
export type ParityData = {
  readonly protocol: string;
  /** Those that differ first, then in code-unit order. */
  readonly entities: readonly ParityEntity[];
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly renames: readonly string[];
  readonly opaque: readonly string[];
  readonly capabilities: readonly (readonly [capability: string, multichain: string, subgraph: string])[];
};

/** One entity in both styles. */
export type ParityEntity = {
  readonly name: string;
  readonly verdict: Verdict;
  /** How many of its fields differ, beyond the scalars that the platforms always have. */
  readonly differing: number;
  /** Those that differ first, then in code-unit order. */
  readonly fields: readonly ParityField[];
};

/** One field in both styles; empty where a style does not have it. */
export type ParityField = {
  readonly name: string;
  readonly multichain: string;
  readonly subgraph: string;
  readonly verdict: Verdict;
  /** The style that may answer null where the other does not; null where there is none. */
  readonly weaker: StyleName | null;
};

/** Where operations are valid. */
export type CoverageData = {
  /** Keys in code-unit order. */
  readonly chains: readonly string[];
  /** By surface, the worst first; of a surface the worst first, then in code-unit order. */
  readonly rows: readonly CoverageRow[];
};

/** One operation of a surface. */
export type CoverageRow = {
  readonly name: string;
  readonly protocol: string;
  readonly style: StyleName;
  readonly surface: string;
  readonly file: string;
  readonly line: number;
  readonly isPortable: boolean;
  /** A letter for each chain. */
  readonly cells: string;
};

/** One thing that was found. */
export type FindingData = {
  readonly fingerprint: string;
  readonly code: string;
  readonly severity: Severity;
  readonly fails: boolean;
  readonly title: string;
  readonly change: string;
  readonly message: string;
  readonly impact: string;
  readonly where: string;
  readonly fix: readonly string[];
  /** Why it is tolerated; null where it is not. */
  readonly acceptance: string | null;
  readonly coordinate: string | null;
  /** The line of a file that it is about. */
  readonly place: {
    readonly file: string;
    readonly line: number | null;
    readonly column: number | null;
  } | null;
  /** Where it is found; nowhere where it is about files. */
  readonly places: readonly PlaceData[];
  readonly operations: readonly ImpactData[];
  /** How many places in operations are left out. */
  readonly moreOperations: number;
  readonly derived: readonly string[];
  readonly moreDerived: number;
  /** What to type: to live with it, where that is possible, and to read on. */
  readonly accept: string | null;
  readonly explain: string;
};

/** What was found of one surface. */
export type PlaceData = {
  readonly surface: string;
  /** Of the deployments that show it; none where it is about the snapshot itself. */
  readonly chains: readonly string[];
  /** What stood there, and what stands there now, in the words of the surface. */
  readonly before: string | null;
  readonly after: string | null;
};

/** One place of an operation. */
export type ImpactData = {
  readonly name: string;
  readonly surface: string;
  readonly impact: ImpactKind;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
};

/** The text of an operation or a fragment, line by line. */
export type SourceData = { readonly file: string; readonly line: number; readonly lines: readonly string[] };

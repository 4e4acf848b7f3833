/** The rooms of the source trees, and for each the rooms it imports. */
export type Rooms = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds the rooms in the imports of files: a room is a folder of `src/` or of `emulator/`.
 *
 * @param imports by path of a file, e.g. `src/cli/drift.ts`, the paths of the files that it imports.
 */
export function findRooms(imports: ReadonlyMap<string, readonly string[]>): Rooms {
  const rooms = new Map<string, Set<string>>();
  for (const [path, paths] of imports) {
    const room = roomOf(path);
    if (room === null) continue;
    const doors = rooms.get(room) ?? new Set();
    rooms.set(room, doors);
    for (const other of paths.map(roomOf)) if (other !== null && other !== room) doors.add(other);
  }
  return rooms;
}

/** Of the files that lie in no room, the API is one by itself; the others are entries. */
function roomOf(path: string): string | null {
  const [tree, room = "", ...file] = path.split("/");
  if (path === "src/api.ts") return room;
  if (file.length === 0) return null;
  return tree === "src" ? room : `${tree}/${room}`;
}

/**
 * Draws rooms as a Mermaid flowchart: an arrow is an import. Where another way leads to the same room, the short one
 * is left out, which shows the order of the rooms and not each of their imports.
 *
 * @throws TypeError for rooms that need each other, which have no order.
 */
export function drawRooms(rooms: Rooms): string {
  const below = new Map<string, ReadonlySet<string>>();
  const reach = (room: string, path: readonly string[] = []): ReadonlySet<string> => {
    if (path.includes(room)) throw new TypeError(`These rooms need each other: ${path.join(", ")}.`);
    const known = below.get(room);
    if (known) return known;
    const doors = [...(rooms.get(room) ?? [])];
    const found = new Set(doors.flatMap((door) => [door, ...reach(door, [...path, room])]));
    below.set(room, found);
    return found;
  };
  const names = [...rooms.keys()].sort();
  for (const room of names) reach(room);
  const arrows = names.flatMap((room) => {
    const doors = [...(rooms.get(room) ?? [])].sort();
    const direct = doors.filter((door) => !doors.some((other) => below.get(other)?.has(door)));
    return direct.length === 0 ? [] : [`  ${idOf(room)} --> ${direct.map(idOf).join(" & ")}`];
  });
  const inEmulator = names.filter((room) => room.startsWith("emulator/")).map(idOf);
  return [
    "flowchart TD",
    `  subgraph emulator/`,
    `    ${inEmulator.join("; ")}`,
    "  end",
    ...arrows,
    "",
  ].join("\n");
}

/** The one name that both trees have is told apart, and shown alike. */
function idOf(room: string): string {
  return room === "emulator/styles" ? "emulator_styles[styles]" : room.replace("emulator/", "");
}

const BLOCK = /(```mermaid\n)[^`]*(```)/;

/** Puts a drawing in the place of the one that a Markdown text has. */
export function replaceDrawing(markdown: string, drawing: string): string {
  return markdown.replace(BLOCK, (_, open, close) => `${open}${drawing}${close}`);
}

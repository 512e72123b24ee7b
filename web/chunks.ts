/**
 * Which modules share a file. Left to itself, the bundler makes a file for each set of modules that
 * the same pages need: some sixty small ones for a table, and a browser asks for six at a time.
 *
 *     shell               whatever the entry imports, with the first page
 *     common              game-independent parts of a table, which other pages use too
 *     table               a table during its match
 *     GAME-table          what a game adds to it
 *
 * Everything else is left to the bundler.
 */

interface ModuleGraph {
  getModuleInfo(id: string): { isEntry: boolean; importers: string[] } | null;
}

const TABLE_COMPONENTS = /\/src\/(app\/pages\/Table|games\/[^/]+\/table\/Table)\.svelte$/;
const COMMON_MODULES = /\/(node_modules|src\/(ui|lib))\//;
const GAME_MODULES = /\/src\/games\/([^/]+)\//;

/** A module, and everything that imports it statically. */
function importersOf(id: string, graph: ModuleGraph): Set<string> {
  const found = new Set([id]);
  for (const each of found)
    for (const importer of graph.getModuleInfo(each)?.importers ?? []) found.add(importer);
  return found;
}

function shellChunkName(id: string, graph: ModuleGraph): string | null {
  const importers = [...importersOf(id, graph)];
  return importers.some((each) => graph.getModuleInfo(each)?.isEntry) ? 'shell' : null;
}

/** The name of the file for a module that a table needs, if that name is wanted. */
const tableChunkName =
  (isWanted: (name: string) => boolean) => (id: string, graph: ModuleGraph) => {
    if (![...importersOf(id, graph)].some((each) => TABLE_COMPONENTS.test(each))) return null;
    const game = GAME_MODULES.exec(id)?.[1];
    const name = game ? `${game}-table` : COMMON_MODULES.test(id) ? 'common' : 'table';
    return isWanted(name) ? name : null;
  };

// A file also takes what its modules import, unless an earlier group has taken it.
export const chunkGroups = [
  { name: shellChunkName, priority: 3 },
  { name: tableChunkName((name) => name === 'common'), priority: 2 },
  { name: tableChunkName((name) => name === 'table'), priority: 1 },
  { name: tableChunkName(() => true) },
];

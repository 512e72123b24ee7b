import type { Plugin, Rolldown } from 'vite';

const MODULES_WHILE_PLAYING = ['app/pages/Table.svelte', 'games/*/table/Table.svelte'];
/** What the page of a table loads, by the table's phase; of alternatives, the first that exists. */
const MODULES_BY_PHASE = {
  lobby: ['app/pages/Table.svelte', 'lobby/Lobby.svelte', 'games/*/setup/index.ts'],
  playing: MODULES_WHILE_PLAYING,
  over: [...MODULES_WHILE_PLAYING, 'games/*/MatchEnd.svelte|games/*/table/RoundOrMatchEnd.svelte'],
};
const GAME_INDEX_MODULE = /\/src\/games\/([^/]+)\/index\.ts$/;

/**
 * Writes preloads.json for the server: the files of a table's page by phase and game. The server
 * names them in the page itself, so that they load in parallel.
 */
export function preloadsPlugin(): Plugin {
  return {
    name: 'pytlik-preloads',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const games = [...this.getModuleIds()].flatMap(
          (id) => GAME_INDEX_MODULE.exec(id)?.[1] ?? [],
        );
        const chunkOf = (part: string): Rolldown.OutputChunk => {
          for (const module of part.split('|'))
            for (const chunk of chunks)
              if (chunk.facadeModuleId?.endsWith(`/src/${module}`)) return chunk;
          return this.error(`no chunk for ${part}`);
        };
        const filesOf = (modules: readonly string[]): string[] => {
          const needed = new Set(modules.map(chunkOf));
          for (const chunk of needed)
            for (const other of chunks)
              // index.html itself names the shell.
              if (chunk.imports.includes(other.fileName) && other.name !== 'shell')
                needed.add(other);
          const files = [...needed].flatMap(({ fileName, viteMetadata }) => [
            fileName,
            ...(viteMetadata?.importedCss ?? []),
          ]);
          return [...new Set(files)].sort();
        };
        const listed = Object.entries(MODULES_BY_PHASE).map(([phase, parts]) => {
          const byGame = games.map((game) => [
            game,
            filesOf(parts.map((part) => part.replaceAll('*', game))),
          ]);
          return [phase, Object.fromEntries(byGame)];
        });
        const source = JSON.stringify(Object.fromEntries(listed), null, 1);
        this.emitFile({ type: 'asset', fileName: 'preloads.json', source });
      },
    },
  };
}

// boardgame.io's server with a game of the shape of Unikat: hands of ten, a display, a bag and a
// board that grows. It checks next to nothing, where Pytlik checks the rules: what is measured here
// is a server, and the easier game is this one's.
//
//     node serve.js <port> [<folder for its file storage>]

const { Server, FlatFile } = require('boardgame.io/server');

const TILES = Array.from({ length: 81 }, (_, n) => n.toString(3).padStart(4, '0'));

function deal(random) {
  const tiles = random.Shuffle(TILES);
  return {
    hands: [0, 1, 2, 3].map((seat) => tiles.slice(10 * seat, 10 * seat + 10)),
    display: tiles.slice(40, 43),
    board: [[0, 0, tiles[43]]],
    bag: tiles.slice(44),
    owed: false,
  };
}

const unikat = {
  name: 'unikat',
  disableUndo: true, // it keeps copies of the state for it
  setup: ({ random }) => deal(random),
  playerView: ({ G, playerID }) => ({
    ...G,
    hands: G.hands.map((hand, seat) => (String(seat) === playerID ? hand : hand.length)),
    bag: G.bag.length,
  }),
  moves: {
    lay: {
      client: false,
      move: ({ G, playerID }, place) => {
        if (G.owed) return 'INVALID_MOVE';
        const [tile] = G.hands[playerID].splice(place, 1);
        G.board.push([G.board.length % 9, Math.floor(G.board.length / 9), tile]);
        G.owed = true;
      },
    },
    draw: {
      client: false,
      move: ({ G, playerID, random, events }) => {
        if (!G.owed) return 'INVALID_MOVE';
        G.hands[playerID].push(G.bag.shift());
        G.owed = false;
        events.endTurn();
        if (!G.bag.length) Object.assign(G, deal(random));
      },
    },
  },
};

const [port, dir] = process.argv.slice(2);
const server = Server({ games: [unikat], origins: [], ...(dir && { db: new FlatFile({ dir }) }) });
const { listen } = server.app;
server.app.listen = (number, ready) => listen.call(server.app, number, '127.0.0.1', ready);
server.run(Number(port), () => console.log('ready'));

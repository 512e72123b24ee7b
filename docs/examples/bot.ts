/**
 * A bot that plays both games at a table of a Pytlik server:
 *
 *     node bot.ts http://127.0.0.1:8000/t/<table> [name]
 *
 * It lays the longest chain that it finds, fills every card, and leaves when the match is over.
 * Needs Node 22.18 or newer, which runs TypeScript as it is, and no package. docs/bots.md says what
 * goes on here.
 */

declare const process: { argv: string[] };

type Cell = [number, number];
type Placed = [string, number, number];
type Action = { kind: string; [field: string]: unknown };

interface UnikatView {
  game: 'unikat';
  seat: number;
  board: [number, number, string][];
  hand: string[];
  outcome: object | null;
  choices: {
    lay: Record<string, Cell[]>;
    swap: boolean;
    draw: boolean;
    take: string[];
    decline: boolean;
    pass: boolean;
    ready: boolean;
  };
}

interface UbongoView {
  game: 'ubongo';
  seat: number;
  deals: Record<string, { area: Cell[]; pieces: Record<string, Cell[]> }>;
  placed: Record<string, Record<string, Cell[]>>;
  outcome: object | null;
  choices: { ready: boolean; solve: boolean };
}

interface Update {
  kind: 'update';
  match: string;
  seq: number;
  view: UnikatView | UbongoView;
}

interface Table {
  pausing: number[];
  paused: number | null;
}

type Message =
  | { kind: 'ping'; n: number }
  | Update
  | { kind: 'done'; id: string; seq: number }
  | { kind: 'refused'; id: string | null; reason: string }
  | { kind: 'table_changed'; table: Table; yours: number[] }
  | { kind: 'table_gone' | 'hello' | 'line' };

// ---------------------------------------------------------------------------------------- Unikat

const NEIGHBOUR_OFFSETS: Cell[] = [[1, 0], [-1, 0], [0, 1], [0, -1]]; // prettier-ignore
const MAX_SEARCH_STEPS = 20_000; // of the search for a chain; then the longest so far will do

/** May these two touch? They differ in exactly one of four features. */
const mayTouch = (tile: string, other: string) =>
  [...tile].filter((digit, place) => digit !== other[place]).length === 1;

/**
 * Tiles in the order of laying. `starts` are the places of a first tile, as the server sends them;
 * each further tile touches the one before it, and fits all that it touches.
 */
function longestChain({ board, hand, choices }: UnikatView): Placed[] {
  const laid = new Map(board.map(([x, y, tile]) => [`${x},${y}`, tile]));
  let best: Placed[] = [];
  let steps = MAX_SEARCH_STEPS;

  function fits(tile: string, x: number, y: number): boolean {
    const beside = NEIGHBOUR_OFFSETS.map(([dx, dy]) => laid.get(`${x + dx},${y + dy}`));
    return !laid.has(`${x},${y}`) && beside.every((other) => !other || mayTouch(tile, other));
  }

  function lay(chain: Placed[], left: string[], tile: string, x: number, y: number): void {
    const longer: Placed[] = [...chain, [tile, x, y]];
    const rest = left.filter((other) => other !== tile);
    if (longer.length > best.length) best = longer;
    laid.set(`${x},${y}`, tile);
    for (const next of rest)
      for (const [dx, dy] of NEIGHBOUR_OFFSETS)
        if (steps > 0 && fits(next, x + dx, y + dy)) {
          steps--;
          lay(longer, rest, next, x + dx, y + dy);
        }
    laid.delete(`${x},${y}`);
  }

  for (const tile of hand) for (const [x, y] of choices.lay[tile] ?? []) lay([], hand, tile, x, y);
  return best;
}

function chooseUnikatAction(view: UnikatView): Action | null {
  const { choices, hand } = view;
  if (Object.keys(choices.lay).length) return { kind: 'lay', tiles: longestChain(view) };
  for (const kind of ['decline', 'pass', 'ready'] as const) if (choices[kind]) return { kind };

  /** How many tiles of the hand it could lie beside; one from the bag counts as one. */
  const countPartners = (tile: string) =>
    tile === 'bag' ? 1 : hand.filter((other) => mayTouch(tile, other)).length;
  const [take] = choices.take.toSorted((a, b) => countPartners(b) - countPartners(a));
  const [give] = hand.toSorted((a, b) => countPartners(a) - countPartners(b));
  if (choices.draw) return { kind: 'draw', take };
  if (choices.swap) return { kind: 'swap', give, take };
  return null; // others are to move
}

// ---------------------------------------------------------------------------------------- Ubongo

const before = (a: Cell, b: Cell) => a[0] - b[0] || a[1] - b[1];

/** A piece, turned and flipped, each with its first cell at (0, 0). */
function orientations(piece: Cell[]): Cell[][] {
  const found = new Map<string, Cell[]>();
  for (let flip = 0; flip < 2; flip++) {
    for (let turn = 0; turn < 6; turn++) {
      piece = piece.map(([q, r]): Cell => [-r, q + r]).sort(before);
      const [q0, r0] = piece[0] as Cell;
      const shape = piece.map(([q, r]): Cell => [q - q0, r - r0]);
      found.set(shape.join(' '), shape);
    }
    piece = piece.map(([q, r]): Cell => [r, q]);
  }
  return [...found.values()];
}

type Solution = Record<string, Cell[]>;

/** The cells of each piece, so that together they cover the area; null, if they can't. */
function solve(area: Cell[], pieces: Record<string, Cell[]>): Solution | null {
  const first = area.toSorted(before)[0]; // some piece has its first cell here
  if (!first || !Object.keys(pieces).length)
    return !first && !Object.keys(pieces).length ? {} : null;
  const free = new Set(area.map(String));
  for (const [number, piece] of Object.entries(pieces)) {
    const { [number]: _, ...others } = pieces;
    for (const shape of orientations(piece)) {
      const cells = shape.map(([q, r]): Cell => [first[0] + q, first[1] + r]);
      const taken = new Set(cells.map(String));
      if (![...taken].every((cell) => free.has(cell))) continue;
      const left = area.filter((cell) => !taken.has(String(cell)));
      const rest = solve(left, others);
      if (rest) return { ...rest, [number]: cells };
    }
  }
  return null;
}

function chooseUbongoAction({ choices, seat, deals, placed }: UbongoView): Action | null {
  if (choices.ready) return { kind: 'ready' };
  const deal = deals[seat];
  if (!choices.solve || !deal) return null;
  const mine = placed[seat] ?? {};
  const solution = Object.entries(solve(deal.area, deal.pieces) ?? {});
  const missing = solution.find(([number]) => !(number in mine));
  return missing ? { kind: 'place', piece: Number(missing[0]), cells: missing[1] } : null;
}

// ------------------------------------------------------------------------------------- the table

const NO_SUCH_TABLE = 4404; // the code of a line that is cut for good
const MAX_MESSAGES = 100; // messages in 20 seconds: fewer than the server allows
const WINDOW_MS = 20_000;

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function post(url: string, body: object, token?: string): Promise<unknown> {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (token) headers.set('Authorization', `Bearer ${token}`);
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** One connection to the table. What was missed before it, the first update has. */
class Player {
  private readonly socket: WebSocket;
  private readonly sent: number[];
  private readonly agree: () => Promise<unknown>; // to a pause, or to go on
  private update: Update | null = null; // the last one
  private act: { id: string } | null = null; // what was asked for, until it is answered
  private done = 0; // what an update must have reached to show what was done
  private agreed = false; // to a pause or its end, which is not there yet
  private over = false;

  constructor(socket: WebSocket, sent: number[], agree: () => Promise<unknown>) {
    this.socket = socket;
    this.sent = sent;
    this.agree = agree;
  }

  /** Until there is nothing more to play (true) or the line is cut (false). */
  play(): Promise<boolean> {
    return new Promise((ended) => {
      this.socket.addEventListener('close', ({ code }) =>
        ended(this.over || code === NO_SUCH_TABLE),
      );
      this.socket.addEventListener('message', ({ data }) => {
        void this.hear(JSON.parse(data as string) as Message);
      });
    });
  }

  private async hear(message: Message): Promise<void> {
    switch (message.kind) {
      case 'ping':
        return this.send({ kind: 'pong', n: message.n });
      case 'update':
        this.update = message;
        return message.view.outcome ? this.leave() : this.consider();
      case 'done':
        if (message.id !== this.act?.id) return; // one that was sent twice is answered twice
        this.act = null;
        this.done = message.seq;
        return this.consider();
      case 'refused':
        return message.id === this.act?.id ? this.refused(message.reason) : undefined;
      case 'table_changed':
        return this.tableChanged(message.table, message.yours);
      case 'table_gone':
        return this.leave();
    }
  }

  /** Do something, unless an answer is awaited, or an update that shows what was done. */
  private async consider(): Promise<void> {
    if (this.act || !this.update || this.update.seq < this.done) return;
    const { view, seq, match } = this.update;
    const action = view.game === 'unikat' ? chooseUnikatAction(view) : chooseUbongoAction(view);
    if (!action) return;
    // An id that is the same whenever the same is asked: so nothing is done twice.
    const asked = { kind: 'act', id: `at-${seq}`, match, seat: view.seat, action };
    this.act = asked;
    return this.send(asked);
  }

  private async tableChanged({ pausing, paused }: Table, yours: number[]): Promise<void> {
    // People wait for everyone's word.
    const asked = pausing.length > 0 && !yours.some((seat) => pausing.includes(seat));
    const again = this.agreed;
    this.agreed = pausing.length > 0;
    if (asked && !again) await this.agree();
    if (this.act && !paused) return this.send(this.act); // a pause may have refused it
  }

  private async refused(reason: string): Promise<void> {
    if (!this.act || reason === 'paused') return; // asked for again when the pause is over
    console.error('refused:', reason);
    if (reason === 'unavailable' || reason === 'too_early') {
      await later(1000);
      return this.send(this.act);
    }
    this.act = null; // the next update says what has changed meanwhile
  }

  private async send(message: object): Promise<void> {
    this.sent.push(Date.now());
    const oldest = this.sent.length > MAX_MESSAGES ? this.sent.shift() : undefined;
    if (oldest !== undefined) await later(oldest + WINDOW_MS - Date.now());
    this.socket.send(JSON.stringify(message));
  }

  private leave(): void {
    this.over = true;
    this.socket.close();
  }
}

async function main(link: string, name = 'Bot'): Promise<void> {
  const [, server = '', table = ''] = /^(.*)\/t\/([^/]+)\/?$/.exec(link) ?? [];
  const { token } = (await post(`${server}/api/tokens`, {})) as { token: string };
  const seat = { name, share: crypto.randomUUID() };
  await post(`${server}/api/tables/${table}/seats`, seat, token);
  const address = `${server}/api/tables/${table}/socket`.replace('http', 'ws');
  // Beside the address Node's WebSocket takes headers, which a browser's does not.
  const options = { headers: { Authorization: `Bearer ${token}` } } as unknown as string[];
  const sent: number[] = [];
  // It may come too late: then nothing has changed.
  const agree = () => post(`${server}/api/tables/${table}/pause`, {}, token).catch(() => null);
  while (!(await new Player(new WebSocket(address, options), sent, agree).play())) {
    await later(1000); // to come back is to connect again
  }
}

void main(process.argv[2] ?? '', process.argv[3]);

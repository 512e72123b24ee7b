/**
 * What the server and the page say to each other.
 *
 * Written by web/make_wire.py from the types in src/pytlik: change those, and run
 * `python -m web.make_wire`.
 *
 * Seats are counted clockwise from 0. Moments are milliseconds since 1970 on the server's clock.
 */

// -------------------------------------------------------------------------------------- The socket

export const PROTOCOL = 1;

/**
 * Act for one of your seats. If you send it again with the same id, it's answered again and done
 * once.
 */
export interface Act {
  kind: 'act';
  /** Choose your own. */
  id: string;
  seat: number;
  /** One of the game's actions. */
  action: GameAction;
  /**
   * As in the update that you're answering, so that a late action isn't done in a later match; null
   * for whichever is being played.
   */
  match: string | null;
}

/** Ask for the view of one of your seats, or for what everyone sees. */
export interface Sit {
  kind: 'sit';
  seat: number | null;
}

/** Say what you have. If it isn't the newest, you get one complete update. */
export interface Sync {
  kind: 'sync';
  seq: number;
  /** Both as in the last update. */
  hash: string;
}

/** Answer a ping at once: this is how the connection's delay is measured. */
export interface Pong {
  kind: 'pong';
  /** As in the ping. */
  n: number;
}

/** Show everyone at the table a reaction for a moment. */
export interface React {
  kind: 'react';
  reaction: Reaction;
}

/** Say something, if the table has chat: one line of plain text. */
export interface Chat {
  kind: 'chat';
  text: string;
}

export type ClientMessage = Act | Sit | Sync | Pong | React | Chat;

/** The first message: which protocol, and who you are here. */
export interface Hello {
  kind: 'hello';
  v: 1;
  table: TableInfo;
  /** The seats you hold. */
  yours: number[];
  /** Whether you are the table's host. */
  host: boolean;
  /** The latest lines. */
  talk: Line[];
  /** The server's clock, in milliseconds since 1970. */
  now: number;
}

/** What happened, as your seat may see it, and everything it may know now. */
export interface UpdateOf<View, Event> {
  kind: 'update';
  match: string;
  /** How many events there are in the match. */
  seq: number;
  /** Whose view this is; null for what everyone sees. */
  seat: number | null;
  /**
   * The game's events since the last update, as this seat may see them, so that you can show what
   * happened. Empty if there's only the view to go by.
   */
  events: Event[];
  /** The game's View: what this seat may know, and what it may do now (`choices`). */
  view: View;
  /** The hash of the view's bytes: send it back in a sync. */
  hash: string;
  /** The seats that have something to do now. */
  awaited: number[];
  now: number;
}

/** It's on disk, and the log has reached `seq`. */
export interface Done {
  kind: 'done';
  id: string;
  seq: number;
}

/** It wasn't done, and nothing has changed. */
export interface Refused {
  kind: 'refused';
  /** The id of the refused act; null for any other message. */
  id: string | null;
  /** A code, as in the list of reasons. */
  reason: Reason;
  /** What the sentence for this reason needs. */
  detail: Record<string, unknown>;
}

/** Someone came, went, sat down or decided something. */
export interface TableChanged {
  kind: 'table_changed';
  table: TableInfo;
  yours: number[];
  host: boolean;
}

/** The table was deleted. Nothing follows. */
export interface TableGone {
  kind: 'table_gone';
}

/** Send it back in a pong, at once. */
export interface Ping {
  kind: 'ping';
  n: number;
}

/**
 * Something said at the table (a text or a quick reaction), or something that happened to a seat
 * during a match. If someone's words or name are removed later, the line comes again with the same
 * number, and its text or name is empty.
 */
export interface Line {
  kind: 'line';
  number: number;
  seat: number;
  text: string | null;
  reaction: Reaction | null;
  /** What happened to the seat; then there's neither a text nor a reaction. */
  change: 'back' | 'left' | 'moved' | 'refused_pause' | 'removed' | 'sat_down' | 'stand_in' | null;
  /** Whose seat it was, for a change. */
  name: string | null;
}

export type UnikatUpdate = UpdateOf<UnikatView, UnikatEvent>;

export type UbongoUpdate = UpdateOf<UbongoView, UbongoEvent>;

export type Update = UnikatUpdate | UbongoUpdate;

export type ServerMessage =
  Hello | Update | Done | Refused | TableChanged | TableGone | Ping | Line;

/** What everyone at a table, and everyone with its link, may know about it. */
export interface TableOf<Game extends GameName, Options> {
  id: string;
  /** Counts the changes. */
  version: number;
  game: Game;
  /** The game's Options. */
  options: Options;
  /** What else the host has decided: an Agreement. */
  agreement: Agreement;
  /** How many it takes to play this game. */
  fewest_players: number;
  /** How many chairs there can be. */
  most_players: number;
  chairs: ChairInfo[];
  /** The host's seat, the first if they have several; null if the host doesn't sit here. */
  host_seat: number | null;
  /** The number of the current or next match, from 1. */
  match: number;
  phase: TablePhase;
  /** The fingerprint of the secret that the deal is made from. */
  commitment: string;
  /**
   * Whether this is a newcomer's first match, whose deal is always the same: it doesn't claim to be
   * fair, only one person plays it, and it isn't counted in `wins`.
   */
  first_game: boolean;
  /** Who wants another match after one; it starts when everyone present does. */
  again: number[];
  /** Who wants a pause, or wants to end it during one. */
  pausing: number[];
  /** When the pause started; null if there is none. */
  paused: number | null;
  /** Whether nobody new may sit down. */
  locked: boolean;
  /** The circle in which this table's matches count. Such a table is never listed. */
  circle: string | null;
}

export type UnikatTable = TableOf<'unikat', UnikatOptions>;

export type UbongoTable = TableOf<'ubongo', UbongoOptions>;

export type TableInfo = UnikatTable | UbongoTable;

/** A seat, and who sits there. */
export interface ChairInfo {
  /** Empty for a free seat, for a bot, and for a person who had their name removed. */
  name: string;
  kind: 'bot' | 'free' | 'person';
  /** The level of the bot that plays here. */
  level: Level | null;
  /** Whether the person is connected. */
  here: boolean;
  /** How many matches this player has won since sitting down; a shared win counts. */
  wins: number;
  /** Whether a bot plays for the person, or until someone takes the free seat. */
  stand_in: boolean;
  /** When a bot takes over for a person who is away, or a little later; null if none does. */
  stand_in_at: number | null;
  muted: boolean;
  /** Seats whose people want this person to leave; if everyone agrees, they have to. */
  against: number[];
  /**
   * Seats whose people want a bot to play while this person is away; if everyone agrees, it does.
   */
  for_bot: number[];
  /**
   * The measured one-way delay in milliseconds (G10), the smallest of the person's connections;
   * null until it's known.
   */
  lag: number | null;
}

/** What the host decides about a table, besides the options of the game. */
export interface Agreement {
  /** Whether it's listed among the open tables. */
  listed: boolean;
  /** Whether turns may take days, and nobody is expected to be there. */
  slow: boolean;
  /** How long a turn may take before a bot plays it, unless only one person plays. */
  turn_seconds: number | null;
  /**
   * How long the table waits for someone who left before a bot takes over, unless only one person
   * plays.
   */
  away_seconds: number | null;
  chat: boolean;
  /**
   * Whether players may be shown where tiles fit, what closes a corner, and hints, in games that
   * have such aids.
   */
  aids: boolean;
  /** The level of the bot that takes over. */
  bot_level: Level;
  /** How long a bot that searches may think about one decision, from 0.1 to 30 seconds. */
  bot_seconds: number;
}

// -------------------------------------------------------------------------------------------- HTTP

/** A table, and your role there. */
export interface TableAnswer {
  table: TableInfo;
  yours: number[];
  host: boolean;
  now: number;
}

export interface NewTableBody {
  game: GameName;
  /** By default, as many as the game allows. */
  chairs?: number;
  /** The game's options. */
  options?: Partial<UnikatOptions> | Partial<UbongoOptions>;
  agreement?: Partial<Agreement>;
  /**
   * Deal the first match in a fixed way that lets a newcomer lay at once, if the game has such a
   * deal (`first_game` of the table says so). Only one person can play it, and your share of the
   * seed isn't used. Rematches are dealt as usual.
   */
  first_game?: boolean;
  /** A circle that you're in: what is played at this table counts there. */
  circle?: string;
}

export interface StartBody {
  /** Remove free seats, and start with whoever is there. */
  without_free?: boolean;
}

export interface PauseBody {
  /**
   * Whether you want a pause or, during a pause, want to resume. False takes that back, or refuses
   * a pause that only others have asked for.
   */
  wanted?: boolean;
}

export interface LockBody {
  locked: boolean;
}

export interface NewHostBody {
  seat: number;
}

export interface NudgeBody {
  seat: number;
}

export interface MyTable {
  table: TableInfo;
  yours: number[];
  host: boolean;
  /** The seats that can act now. */
  awaited: number[];
}

export interface SitBody {
  name: string;
  /** By default, the first free seat. */
  seat?: number;
  /** Your part of the match's seed: any random text, so that nobody alone decides the deal. */
  share?: string;
}

export interface TakenSeat {
  table: TableInfo;
  yours: number[];
  host: boolean;
  now: number;
  seat: number;
  /** The code that gets this seat back if you lose your cookie. It's only shown now. */
  recovery: string;
}

export interface MovedSeat {
  table: TableInfo;
  yours: number[];
  host: boolean;
  now: number;
  seat: number;
  /** The code that gets this seat back from now on. The earlier one no longer works. */
  recovery: string;
}

export interface NewNameBody {
  name: string;
}

export interface NewShareBody {
  share: string;
}

export interface NewMuteBody {
  muted: boolean;
}

export interface NewBotBody {
  level: Level;
}

export interface MoveCode {
  code: string;
  expires: number;
}

export interface EnteredCodeBody {
  table: string;
  code: string;
}

export interface Events {
  match: string;
  seat: number | null;
  /** How many events the match has. */
  seq: number;
  over: boolean;
  /**
   * Up to `limit` events after the first `after`, as the seat may see them. Once the match is over,
   * nothing is hidden.
   */
  events: GameEvent[];
  /** Who caused each of these events; null if an older version of Pytlik stored it. */
  actors: (Actor | null)[];
}

export interface Sitter {
  name: string;
  /** The level, if it was a bot. */
  level: Level | null;
}

export interface Views {
  match: string;
  game: GameName;
  seat: number | null;
  /** How many events the match has. */
  seq: number;
  over: boolean;
  /** Who sat where. */
  sitters: Sitter[];
  after: number;
  /**
   * What the seat could see after each event that follows the first `after`. Once the match is
   * over, nothing is hidden.
   */
  views: View[];
  /**
   * Who caused the event that led to each of these views; null if an older version of Pytlik stored
   * it.
   */
  actors: (Actor | null)[];
}

export interface Verdict {
  /**
   * Whether every event follows from the seed and the rules, and the seed matches the commitment.
   */
  sound: boolean;
  flaw: Flaw | null;
  event: number | null;
  /**
   * Whether it was a newcomer's first match, whose seed everyone knows: then it's no proof of a
   * fair deal.
   */
  first_game: boolean;
}

export interface CircleMember {
  /** The member's number in this circle. It's never given to anybody else. */
  id: number;
  /** Empty if they had their name removed. */
  name: string;
}

/** What a member has achieved in a game, in a season or since the circle began. */
export interface CircleScore {
  /** A quarter of a year, as in "2026-4"; empty for all time. */
  season: string;
  game: GameName;
  member: number;
  played: number;
  /** A shared win counts. */
  won: number;
  /** How many matches they have won in a row, up to now. */
  streak: number;
  /** The most they have ever won in a row. */
  longest: number;
  /** Their largest lead over the next player in a match that they won, in points. */
  margin: number;
}

/** How somebody did in a match. */
export interface CircleSeat {
  points: number;
  /** Null for a bot, and for a guest, whose name isn't kept. */
  member: number | null;
  /** The level, if it was a bot. */
  bot: Level | null;
  won: boolean;
  /** Whether a bot finished the match for them. Then it doesn't count as won. */
  helped: boolean;
}

/** A match that is over. */
export interface CircleResult {
  game: GameName;
  rounds: number | null;
  seats: CircleSeat[];
}

export interface CircleInfo {
  id: string;
  name: string;
  /** In the order in which they joined. The first one is the organiser. */
  members: CircleMember[];
  scores: CircleScore[];
  /**
   * The circle's tables with a free seat, where no match has begun. Running matches aren't shown
   * here.
   */
  tables: TableInfo[];
}

export interface NewCircleBody {
  /** What the circle is called. */
  name: string;
  /** What you are called there. */
  member: string;
}

export interface CircleCodeBody {
  code: string;
}

export interface MyCircle {
  id: string;
  name: string;
  members: number;
}

/** A circle, and who you are there. */
export interface CircleAnswer {
  circle: CircleInfo;
  /** Your number among the members; null if you aren't one. */
  me: number | null;
  /** The code that moves your membership to another device, where it's entered. It works once. */
  code: string | null;
}

export interface PlayedInCircle {
  game: GameName;
  rounds: number | null;
  seats: CircleSeat[];
  table: string;
  match: number;
  ended: number;
  /** Whether the match can still be replayed: tables are deleted after some time. */
  replay: boolean;
}

export interface CircleResults {
  /** Newest first. */
  results: PlayedInCircle[];
  /** Whether there are earlier ones. */
  more: boolean;
}

/** An empty cell beside two or more tiles that only one tile fits. */
export interface Corner {
  cell: Cell;
  tile: Tile;
  /**
   * Where the tile is, as far as the seat can tell. On the table means that nothing fits the corner
   * any more.
   */
  where: Whereabouts;
  /** The seat that took it in plain sight. */
  seat: number | null;
}

export interface Judged {
  action: UnikatAction;
  /** The chance to win, from 0 to 1, as the bots estimate it. */
  value: number;
}

export interface Decision {
  /** The sequence number of the resulting event. */
  seq: number;
  done: Judged;
  /** None if nothing was estimated to be better. */
  better: Judged | null;
}

export interface CoachedTurn {
  /** The sequence number of the event that resulted from the turn's first action. */
  seq: number;
  round: number;
  seat: number;
  /** What was laid: nothing, a chain, or two in a double turn. */
  laid: Placement[][];
  /** The most that could be laid; equal to `laid` if that was the most. */
  best: Placement[][];
  /** Whether it is certain that no turn lays more. */
  exact: boolean;
  /** How many more tiles the best turn lays. */
  swing: number;
  /** The next best turns, which lay other tiles. */
  others: Placement[][][];
  /** An estimate for each action of the turn; empty if there was no time for it. */
  decisions: Decision[];
  /** How much of the chance to win the turn gave away. */
  lost: number;
  /** The corners on the table before the turn. */
  corners: Corner[];
}

export interface Advice {
  turns: CoachedTurn[];
  /** The `seq` of the turns that missed most, the worst first. */
  misses: number[];
}

export interface UbongoDailyResult {
  /**
   * From 1; equal times share a place. Null if it was too quick for a person: then only you see it.
   */
  place: number | null;
  /** Empty if it's yours and you haven't given one: then only you see it. */
  name: string;
  ms: number;
  yours: boolean;
}

export interface DailyPuzzle {
  day: string;
  side: SideName;
  /** When you started. */
  started: number | null;
  /** Only once you've started or the day is over. */
  puzzle: Deal | null;
  /** Fastest first. Yours is always included. */
  results: UbongoDailyResult[];
  /** How many results have a place, yours included. */
  ranked: number;
}

export interface StartDailyBody {
  side?: SideName;
}

export interface SolveDailyBody {
  day: string;
  side?: SideName;
  /** Without one, nobody else sees your result until you give it a name. */
  name?: string;
  /** The cells that each piece covers. */
  placed: Record<number, Hex[]>;
}

export interface NameDailyBody {
  day: string;
  side?: SideName;
  name: string;
}

export interface UnikatDailyResult {
  /**
   * From 1; equal results share a place. Null if it was too quick for a person: then only you see
   * it.
   */
  place: number | null;
  /** Empty if it's yours and you haven't given one: then only you see it. */
  name: string;
  tiles: number;
  ms: number;
  yours: boolean;
}

export interface DailyUnikat {
  day: string;
  grade: Grade;
  /** When you started. */
  started: number | null;
  /** The puzzle, only once you've started or the day is over. */
  view: UnikatView | null;
  /** How many tiles can be laid, only once you've answered or the day is over. */
  most: number | null;
  /** An answer that lays that many, from the same moment on. */
  best: Placement[][];
  /** Most tiles first, then the fastest. Yours is always included. */
  results: UnikatDailyResult[];
  /** How many results have a place, yours included. */
  ranked: number;
}

export interface DailyTurn {
  view: UnikatView;
  /** The events of the last action. */
  events: UnikatEvent[];
  /** How many tiles you've laid so far. */
  laid: number;
  /**
   * Whether the turn is over. Then this is your answer, if it's your first and you started before
   * the day was over.
   */
  over: boolean;
  daily: DailyUnikat;
}

export interface StartDailyUnikatBody {
  grade?: Grade;
}

export interface LayDailyBody {
  day: string;
  grade?: Grade;
  /** Without one, nobody else sees your result until you give it a name. */
  name?: string;
  /** All your actions in the turn so far. */
  actions: (UnikatLay | UnikatSwap | UnikatDecline | UnikatDraw | UnikatPass)[];
}

export interface NameDailyUnikatBody {
  day: string;
  grade?: Grade;
  name: string;
}

export interface LearnUnikatBody {
  scene: 'beside' | 'chain' | 'double' | 'last' | 'swap';
  /** What you've done in the scene so far. */
  actions?: (UnikatLay | UnikatSwap | UnikatDecline | UnikatDraw | UnikatPass)[];
}

export interface LearnUbongoBody {
  scene: 'card' | 'place' | 'race' | 'second_chance' | 'solve' | 'turn';
  /** What you've done in the scene so far. */
  actions?: (UbongoPlace | UbongoLift)[];
  /** The value from the first answer; by default, now. */
  began?: number;
}

export interface Lesson {
  began: number;
  now: number;
  /** The events of the last action. */
  events: GameEvent[];
  view: View;
  /** One way to complete the scene, from its beginning. */
  example: GameAction[];
}

export interface ForgetResult {
  /** The number of tables where something was removed. */
  tables: number;
}

export interface NotificationKey {
  /**
   * The server's public key, which a browser subscribes with (VAPID, as base64url); null if this
   * server can't notify anybody.
   */
  key: string | null;
}

/** A subscription as the browser's `PushManager` has made it. */
export interface NewSubscriptionBody {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** The language of the notifications. */
  language: string;
}

export interface EndedSubscriptionBody {
  endpoint: string;
}

export interface Token {
  /** Send it as `Authorization: Bearer`, and keep it: it's what identifies you. */
  token: string;
}

export interface PassphraseEntryBody {
  passphrase: string;
  /** Answer with a token instead of a cookie. */
  program?: boolean;
}

export interface EntryResult {
  token: string | null;
}

export interface AdoptionRequestBody {
  /** The token you had before. Browsers have it in a cookie and can leave this out. */
  old?: string;
}

export interface AdoptedSeat {
  table: string;
  seat: number;
  /** The code that gets this seat back from now on. The earlier one no longer works. */
  recovery: string;
}

export interface AdoptionResult {
  /** The seats your new token has taken over, each with a new recovery code. */
  seats: AdoptedSeat[];
  /**
   * Tables where your new token has seen another hand in the meantime. Ask again when their match
   * is over.
   */
  refused: string[];
}

export interface Health {
  status: 'ok';
}

export interface Lan {
  /**
   * The server's address in the local network; null if it listens only on its own machine, or if
   * you ask from another one.
   */
  host: string | null;
}

export interface ErrorAnswer {
  error: Problem;
}

export interface Problem {
  reason: Reason;
  detail: Record<string, unknown>;
}

// ----------------------------------------------------------------------------- What all games have

export type GameName = 'ubongo' | 'unikat';

/** How many can play a game, where there is no table yet that says so. */
export const PLAYERS: Record<GameName, { fewest: number; most: number }> = {
  ubongo: { fewest: 2, most: 4 },
  unikat: { fewest: 2, most: 4 },
};

export type View = UnikatView | UbongoView;

export type GameAction = UnikatAction | UbongoAction;

export type GameEvent = UnikatEvent | UbongoEvent;

export const LEVELS = ['first-steps', 'easy', 'medium', 'hard', 'master'] as const;
export type Level = (typeof LEVELS)[number];

export const REACTIONS = ['clap', 'laugh', 'wow', 'think', 'hurry', 'heart'] as const;
export type Reaction = (typeof REACTIONS)[number];

export type TablePhase = 'lobby' | 'over' | 'playing';

export type Source = 'bag' | 'display';

/** Why something is refused. A code: the sentences are in the catalogues. */
export type Reason =
  | 'bad_request'
  | 'bad_file'
  | 'not_your_seat'
  | 'not_your_turn'
  | 'wrong_phase'
  | 'too_early'
  | 'occupied'
  | 'too_many'
  | 'no_such_table'
  | 'no_such_seat'
  | 'no_such_match'
  | 'no_such_day'
  | 'not_host'
  | 'seat_taken'
  | 'seat_free'
  | 'sat_elsewhere'
  | 'host_looks_on'
  | 'removed'
  | 'table_locked'
  | 'needs_agreement'
  | 'table_full'
  | 'table_running'
  | 'table_not_running'
  | 'not_everyone'
  | 'too_few_players'
  | 'match_not_over'
  | 'other_match'
  | 'paused'
  | 'too_many_pauses'
  | 'too_many_matches'
  | 'not_awaited'
  | 'already_nudged'
  | 'bad_name'
  | 'name_taken'
  | 'bad_code'
  | 'no_such_circle'
  | 'not_in_circle'
  | 'not_keeper'
  | 'circle_full'
  | 'removed_from_circle'
  | 'already_in_circle'
  | 'not_started'
  | 'day_over'
  | 'not_found'
  | 'wrong_method'
  | 'too_large'
  | 'too_fast'
  | 'wrong_origin'
  | 'wrong_host'
  | 'bad_token'
  | 'not_admin'
  | 'passphrase_needed'
  | 'wrong_passphrase'
  | 'unavailable'
  | 'muted'
  | 'no_chat'
  | 'internal'
  | 'not_installed'
  | 'not_in_hand'
  | 'tile_twice'
  | 'no_tiles'
  | 'touches_nothing'
  | 'not_next_to_last'
  | 'unlike_neighbour'
  | 'not_in_display'
  | 'same_tile'
  | 'bag_empty'
  | 'must_act'
  | 'too_many_swaps'
  | 'bad_position'
  | 'not_your_piece'
  | 'not_placed'
  | 'wrong_shape'
  | 'outside_area'
  | 'not_covered'
  | 'already_solved'
  | 'gave_up'
  | 'too_late'
  | 'too_many_moves'
  | 'gem_not_in_bag'
  | 'seat_twice'
  | 'too_many_rounds';

/** What can be wrong with a match. */
export type Flaw =
  | 'no_seed'
  | 'broken_commitment'
  | 'other_shares'
  | 'time_runs_back'
  | 'against_rules'
  | 'not_from_seed'
  | 'cut_off';

/** Who caused an event. */
export type Actor = 'person' | 'bot' | 'stand-in' | 'clock' | 'server';

/** I'm ready for the next round. */
export interface Ready {
  kind: 'ready';
}

/** Replaces what a seat may not know. */
export interface Hidden {
  hidden: true;
}

/** How a match has ended. Whether more or fewer points are better depends on the game. */
export interface Outcome {
  winners: number[];
  points: number[];
}

// ------------------------------------------------------------------------------------------ Unikat

export type UnikatAction = UnikatLay | UnikatSwap | UnikatDecline | UnikatDraw | UnikatPass | Ready;

export type UnikatEvent =
  | UnikatMatchOpened
  | UnikatRoundDealt
  | UnikatChainLaid
  | UnikatBonusEarned
  | UnikatBonusDeclined
  | UnikatTileSwapped
  | UnikatDrawOwed
  | UnikatTileDrawn
  | UnikatDisplayFilled
  | UnikatTurnPassed
  | UnikatTurnEnded
  | UnikatRoundEnded
  | UnikatSeatReady
  | UnikatMatchEnded;

export interface UnikatLay {
  kind: 'lay';
  tiles: Placement[];
}

/** A tile and where it is laid. */
export type Placement = [tile: Tile, x: number, y: number];

/** One of the 81 tiles: a digit for each feature (U1). */
export type Tile = `${Digit}${Digit}${Digit}${Digit}`;

export interface UnikatSwap {
  kind: 'swap';
  give: Tile;
  take: Take;
}

/** Do without the extra action of a double turn. */
export interface UnikatDecline {
  kind: 'decline';
}

export interface UnikatDraw {
  kind: 'draw';
  take: Take;
}

/** End a turn in which nothing can be laid or swapped (U6). */
export interface UnikatPass {
  kind: 'pass';
}

export interface UnikatMatchOpened {
  kind: 'match_opened';
  v: 1;
  at: number;
  game: 'unikat';
  players: number;
  options: UnikatOptions;
  commitment: string;
  shares: string[];
}

/** What a table may choose. The defaults are the rules of the spec. */
export interface UnikatOptions {
  /** U17. */
  rounds: number;
  /** U4: the seat that starts; drawn at random if there is none. */
  starter: number | null;
  /** U4: who starts the rounds after the first. */
  next_starter: StarterRule;
  /** U10: where the tiles of an extra action may start. */
  extra_action: 'anywhere' | 'continue';
  /** U16: turns per player without a lay that end the round, with an empty bag and with any. */
  blocked: [number, number];
}

/** Where all 81 tiles are, in the order in which they leave the bag (U3). */
export interface UnikatRoundDealt {
  kind: 'round_dealt';
  v: 1;
  at: number;
  round: number;
  starter: number;
  hands: (Tile | Hidden)[][];
  display: Tile[];
  start: Tile;
  bag: (Tile | Hidden)[];
}

export interface UnikatChainLaid {
  kind: 'chain_laid';
  v: 1;
  at: number;
  seat: number;
  tiles: Placement[];
}

export interface UnikatBonusEarned {
  kind: 'bonus_earned';
  v: 1;
  at: number;
  seat: number;
}

export interface UnikatBonusDeclined {
  kind: 'bonus_declined';
  v: 1;
  at: number;
  seat: number;
}

export interface UnikatTileSwapped {
  kind: 'tile_swapped';
  v: 1;
  at: number;
  seat: number;
  give: Tile;
  take: Tile | Hidden;
  source: Source;
}

/** The turn ends with fewer than ten tiles: one must be taken (U13). */
export interface UnikatDrawOwed {
  kind: 'draw_owed';
  v: 1;
  at: number;
  seat: number;
}

export interface UnikatTileDrawn {
  kind: 'tile_drawn';
  v: 1;
  at: number;
  seat: number;
  tile: Tile | Hidden;
  source: Source;
}

export interface UnikatDisplayFilled {
  kind: 'display_filled';
  v: 1;
  at: number;
  tiles: Tile[];
}

export interface UnikatTurnPassed {
  kind: 'turn_passed';
  v: 1;
  at: number;
  seat: number;
}

export interface UnikatTurnEnded {
  kind: 'turn_ended';
  v: 1;
  at: number;
  seat: number;
  next: number;
}

export interface UnikatRoundEnded {
  kind: 'round_ended';
  v: 1;
  at: number;
  winners: number[];
  ended: UnikatEnded;
  hands: Tile[][];
}

export interface UnikatSeatReady {
  kind: 'seat_ready';
  v: 1;
  at: number;
  seat: number;
}

export interface UnikatMatchEnded {
  kind: 'match_ended';
  v: 1;
  at: number;
  winners: number[];
  points: number[];
}

/** Everything that one seat, or a spectator, may know about a match. */
export interface UnikatView {
  game: 'unikat';
  seat: number | null;
  players: number;
  options: UnikatOptions;
  round: number;
  sheet: Row[];
  starter: number;
  board: Stone[];
  /** The seat's own; empty for a spectator. */
  hand: Tile[];
  /** How many tiles each hand holds. */
  counts: number[];
  /** For each hand, the tiles that everyone has seen going into it, in ascending order. */
  known: Tile[][];
  /** All hands once the round is over; empty before. */
  hands: Tile[][];
  display: Tile[];
  bag: number;
  to_move: number;
  phase: UnikatPhase;
  laid: boolean;
  quiet_turns: number;
  latest: Placement[];
  winners: number[];
  ended: UnikatEnded | null;
  ready: number[];
  outcome: Outcome | null;
  choices: UnikatChoices;
}

/** A tile on the table, with its fields in the order in which positions write them. */
export type Stone = [x: number, y: number, tile: Tile];

export type UnikatPhase = 'action' | 'bonus' | 'draw' | 'over';

/**
 * What the seat may do now. There can be hundreds of thousands of chains, so these are only the
 * places where the first tile of one can go.
 */
export interface UnikatChoices {
  lay: Partial<Record<Tile, Cell[]>>;
  swap: boolean;
  draw: boolean;
  /** What a swap or a draw may take. */
  take: Take[];
  decline: boolean;
  pass: boolean;
  ready: boolean;
}

/** A place on the table, which has no border (U7). */
export type Cell = [x: number, y: number];

type Digit = '0' | '1' | '2';

/** What is taken: a tile of the display, or one from the bag. */
export type Take = Tile | 'bag';

export type UnikatEnded = 'blocked' | 'last tile';

/** Who begins the next round: the same seat, the next one, or the last winner (U4). */
export type StarterRule = 'rotate' | 'same' | 'winner';

export type Whereabouts = 'display' | 'hand' | 'known' | 'table' | 'unseen';

/** A finished round on the score sheet: each seat's points, and who won it. */
export interface Row {
  points: number[];
  winners: number[];
}

export const GRADES = ['easy', 'medium', 'hard'] as const;
export type Grade = (typeof GRADES)[number];

// ------------------------------------------------------------------------------------------ Ubongo

export type UbongoAction = UbongoPlace | UbongoLift | UbongoGiveUp | Ready;

export type UbongoEvent =
  | UbongoMatchOpened
  | UbongoDeckShuffled
  | UbongoSeatReady
  | UbongoCountdownBegan
  | UbongoRoundBegan
  | UbongoPiecePlaced
  | UbongoPieceLifted
  | UbongoPieceMoved
  | UbongoCardSolved
  | UbongoSolutionSettled
  | UbongoGemTaken
  | UbongoGemBagged
  | UbongoSeatGaveUp
  | UbongoSandRanOut
  | UbongoPatienceEnded
  | UbongoSecondChanceBegan
  | UbongoClocksShifted
  | UbongoRoundEnded
  | UbongoTieFound
  | UbongoMatchEnded;

/** Put a piece onto these cells; if it already lies on the card, it is moved. */
export interface UbongoPlace {
  kind: 'place';
  piece: number;
  cells: Hex[];
}

/** A cell in axial coordinates. */
export type Hex = [q: number, r: number];

export interface UbongoLift {
  kind: 'lift';
  piece: number;
}

/** Stop solving in this round. */
export interface UbongoGiveUp {
  kind: 'give_up';
}

export interface UbongoMatchOpened {
  kind: 'match_opened';
  v: 1;
  at: number;
  game: 'ubongo';
  players: number;
  options: UbongoOptions;
  commitment: string;
  shares: string[];
}

/** What a table may choose. The defaults are the rules of the spec. */
export interface UbongoOptions {
  /** G4: which side of the cards is played. */
  pieces: SideName;
  /** G4: a side for each seat instead, or nothing. */
  handicap: SideName[];
  /** Everyone solves the same card with the same pieces. */
  same_puzzle: boolean;
  /** G3: how long the sand runs; None for no timer. */
  seconds: number | null;
  /** G15: after how many seconds a deciding round is shared; None for never. */
  patience: number | null;
  /** G5: how many rounds are played, and how many sapphires and ambers are laid out. */
  rounds: 3 | 5 | 9;
}

/** The pieces in use, and the cards in the order in which they will come. */
export interface UbongoDeckShuffled {
  kind: 'deck_shuffled';
  v: 1;
  at: number;
  pieces: Pieces;
  cards: Card[] | Hidden;
}

/** The four colours of pieces and tokens (G2, G3). */
export const COLOURS = ['red', 'blue', 'green', 'yellow'] as const;
export type Colour = (typeof COLOURS)[number];

/** A puzzle card; its sides are named by how many pieces they take. */
export interface Card {
  id: number;
  sides: Record<number, Side>;
}

/** A side of a card: an area, and for each colour the numbers of the pieces for it (G1). */
export interface Side {
  area: Shape;
  sets: Record<Colour, number[]>;
}

export interface UbongoSeatReady {
  kind: 'seat_ready';
  v: 1;
  at: number;
  seat: number;
}

export interface UbongoCountdownBegan {
  kind: 'countdown_began';
  v: 1;
  at: number;
  round: number;
  starts: number;
}

/** Everyone sees their card, and the timer is turned (G6, G7). */
export interface UbongoRoundBegan {
  kind: 'round_began';
  v: 1;
  at: number;
  round: number;
  deals: Record<number, Deal>;
  /** How many cards were taken from the pile. */
  cards: number;
  /** When the sand will have run out. */
  sand: number | null;
  /** When the table's patience with a deciding round ends (G15). */
  patience: number | null;
}

/** What a player has to solve: a card's side, with the pieces of the player's colour. */
export interface Deal {
  card: number;
  side: SideName;
  colour: Colour;
  area: Shape;
  pieces: Record<number, Shape>;
}

export interface UbongoPiecePlaced {
  kind: 'piece_placed';
  v: 1;
  at: number;
  seat: number;
  piece: number;
  cells: Shape;
  /** The connection's measured one-way delay, as far as it may be credited. */
  lag: number;
}

export interface UbongoPieceLifted {
  kind: 'piece_lifted';
  v: 1;
  at: number;
  seat: number;
  piece: number;
  lag: number;
}

/** What others see when a piece is placed or lifted (G16). It is never stored. */
export interface UbongoPieceMoved {
  kind: 'piece_moved';
  v: 1;
  at: number;
  seat: number;
}

export interface UbongoCardSolved {
  kind: 'card_solved';
  v: 1;
  at: number;
  seat: number;
  time: number;
  lag: number;
}

/** Nobody can turn out to have been earlier (G10). The first has rank 0. */
export interface UbongoSolutionSettled {
  kind: 'solution_settled';
  v: 1;
  at: number;
  seat: number;
  rank: number;
}

export interface UbongoGemTaken {
  kind: 'gem_taken';
  v: 1;
  at: number;
  seat: number;
  gem: Gem;
  source: Source;
}

/** The four kinds of gems (G3). */
export const GEMS = ['ruby', 'sapphire', 'emerald', 'amber'] as const;
export type Gem = (typeof GEMS)[number];

/** A gem goes from the display into the bag (G11, G12). */
export interface UbongoGemBagged {
  kind: 'gem_bagged';
  v: 1;
  at: number;
  gem: Gem;
}

export interface UbongoSeatGaveUp {
  kind: 'seat_gave_up';
  v: 1;
  at: number;
  seat: number;
  lag: number;
}

export interface UbongoSandRanOut {
  kind: 'sand_ran_out';
  v: 1;
  at: number;
}

export interface UbongoPatienceEnded {
  kind: 'patience_ended';
  v: 1;
  at: number;
}

export interface UbongoSecondChanceBegan {
  kind: 'second_chance_began';
  v: 1;
  at: number;
  sand: number;
}

/**
 * All deadlines and starting times are moved by this many milliseconds: forwards after a pause or
 * downtime; back where people didn't wait for bots, as if that time had passed.
 */
export interface UbongoClocksShifted {
  kind: 'clocks_shifted';
  v: 1;
  at: number;
  by: number;
  /** When everyone goes on, if there is a countdown first; it is part of `by`. */
  resumes: number | null;
}

export interface UbongoRoundEnded {
  kind: 'round_ended';
  v: 1;
  at: number;
  round: number;
}

/** These seats go to a deciding round (G15). */
export interface UbongoTieFound {
  kind: 'tie_found';
  v: 1;
  at: number;
  seats: number[];
}

export interface UbongoMatchEnded {
  kind: 'match_ended';
  v: 1;
  at: number;
  winners: number[];
  points: number[];
}

/** Everything that one seat, or a spectator, may know about a match. */
export interface UbongoView {
  game: 'ubongo';
  seat: number | null;
  players: number;
  options: UbongoOptions;
  round: number;
  phase: UbongoPhase;
  playing: number[];
  deciding: boolean;
  ready: number[];
  starts: number | null;
  began: number | null;
  resumes: number | null;
  sand: number | null;
  patience: number | null;
  books: Ledger;
  points: number[];
  deals: Record<number, Deal>;
  /** The pieces on those cards that this seat may see. */
  placed: Record<number, Record<number, Shape>>;
  solutions: Solution[];
  settled: number[];
  gave_up: number[];
  outcome: Outcome | null;
  choices: UbongoChoices;
}

export type UbongoPhase = 'ready' | 'countdown' | 'solving' | 'second_chance' | 'over';

/** Where the gems are: in the display, in the bag, and with each seat. */
export interface Ledger {
  display: Purse;
  bag: Purse;
  held: Purse[];
}

/** A solved card, and when it was solved (G10). */
export interface Solution {
  seat: number;
  /** When it counts as solved: its arrival, less the credited delay. */
  time: number;
  arrived: number;
}

/** What the seat may do now. */
export interface UbongoChoices {
  ready: boolean;
  /** Place and lift pieces, or give up. */
  solve: boolean;
}

/** A side of a card, by how many pieces it takes. */
export type SideName = 3 | 4 | 5;

/** Cells in ascending order; where only the form counts, the first one is [0, 0]. */
export type Shape = Hex[];

/** For each colour the pieces by their number (G2). */
export type Pieces = Record<Colour, Record<number, Shape>>;

/** How many there are of each gem. */
export type Purse = Record<Gem, number>;

/** What a gem is worth (G3). */
export const POINTS: Record<Gem, number> = { ruby: 4, sapphire: 3, emerald: 2, amber: 1 };

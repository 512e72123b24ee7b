/**
 * What the page needs to know about a game. Each game's folder exports one GameModule, and
 * registry.ts lists them. Everything that isn't on the first page is loaded on demand.
 */

import type { Component, Snippet } from 'svelte';
import type { PlayableMatch } from '../connection/playable-match';
import type { TableConnection } from '../connection/table-connection.svelte';
import type { Key } from '../lib/i18n.svelte';
import type { Agreement, GameAction, GameEvent, GameName, TableInfo, View } from '../lib/wire';
import type { Moment } from '../replay/timeline';

/** The options of any game. */
export type Options = TableInfo['options'];

type Loader<T> = () => Promise<T>;
type ComponentLoader<Props extends object> = Loader<{ default: Component<Props> }>;

/** What surrounds a game's table: the page fills these places. */
export interface TableSurroundings {
  /** The button that opens the page's own menu. */
  menu?: Snippet;
  /** A line beside the players or over them: connection lost, pause. */
  banner?: Snippet;
  /** For a game that has room beside its board: what people say; on a television, how to join. */
  side?: Snippet;
  /** What can be done when the match is over: another match, the replay. */
  after?: Snippet;
}

export interface TableProps<V, A, E> extends TableSurroundings {
  client: PlayableMatch<V, A, E>;
  /** By seat. */
  names: readonly string[];
  /** Whether this is a spectator, whatever seat the view is of. */
  spectator?: boolean;
  /** In a lesson there is less help than at a table. */
  lesson?: boolean;
}

// ------------------------------------------------------------------------------ before the match

export interface Preset<O> {
  name: PresetName;
  options: Partial<O>;
  agreement: Partial<Agreement>;
}

/** `page.lobby.preset.*` in the catalogues. */
export type PresetName = 'short' | 'evening' | 'slow' | 'booklet' | 'relaxed' | 'race';

export interface OptionsFormProps<O> {
  info: TableInfo & { options: O };
  onchange: (options: O) => void;
}

export interface GameSetup<O> {
  Form: Component<OptionsFormProps<O>>;
  presets: readonly Preset<O>[];
  /** What is agreed, one sentence each. */
  describe(info: TableInfo & { options: O }): string[];
}

/** A game's own way to play with one device for everyone. */
export interface PassAndPlay {
  /** Whether a table is played this way, by its options and the seats that this browser holds. */
  appliesTo(info: TableInfo, yours: readonly number[]): boolean;
  table: ComponentLoader<PassAndPlayTableProps>;
}

export interface PassAndPlayTableProps {
  connection: TableConnection;
  info: TableInfo;
  menu: Snippet;
  banner: Snippet;
  after: Snippet;
}

/** What people agree on before they pass a device around. */
export interface PassAndPlaySetup {
  /** Asks for it, and changes the choices. */
  Form: Component<{ choices: PassAndPlayChoices }>;
  createChoices(): PassAndPlayChoices;
}

export interface PassAndPlayChoices {
  /** Of the table that is created. */
  readonly options: Partial<Options>;
  /** Remember choices that the server's table doesn't store. */
  rememberForTable?(table: string): void;
}

// -------------------------------------------------------------------------------- replay, learning

export interface EventTextContext {
  names: readonly string[];
  /** The viewer's own seat; null: none. */
  you: number | null;
  /** When the round of this moment began, on the server's clock. */
  roundBegan: number;
  /** Of the match. */
  options: Options;
}

/** Comments on a finished match, if a game has a coach. */
export interface ReplayCoach {
  /** The number of the event whose view should be shown at a moment. */
  seqToShowAt(moment: Moment): number;
  /** What to say instead of describing the moment; null: nothing. */
  commentAt(moment: Moment): string | null;
  /** Go back to showing what happened. */
  showAsPlayed(): void;
  /**
   * Ask for the comments. Resolves to the event in which a seat gave away the most, to be shown and
   * commented on; null: there is none, or no seat was named.
   */
  findBiggestMiss(seat: number | null): Promise<number | null>;
}

export interface ReplayTableProps<V> {
  view: V;
  names: readonly string[];
  /** The viewer's own seat; null: none. */
  you: number | null;
  moment: Moment;
  coach: ReplayCoach | null;
}

export interface GameReplay<V, E extends { kind: string }> {
  ReplayTable: Component<ReplayTableProps<V>>;
  timeline: {
    /** A round begins with this event. */
    roundStart: E['kind'];
    /** Events that are listed as turns. */
    listed: readonly E['kind'][];
    /** Events within a turn that are worth stopping at. */
    shown: readonly E['kind'][];
    /** The event that moves the clocks, where there are any. */
    shift?: E['kind'];
  };
  describe(event: E, context: EventTextContext): string;
  /** Whether players take turns; otherwise everyone plays at once, round by round. */
  inTurns: boolean;
  /** How long a moment is shown while the replay runs (ms). */
  momentDurationMs(moment: Moment, next: Moment): number;
  coach?: {
    create(matchPath: string): ReplayCoach;
    Panel: Component<CoachPanelProps>;
    Line: Component<{ coach: ReplayCoach; moment: Moment }>;
    /** The same words as `commentAt`, perhaps with pictures. */
    Comment: Component<{ coach: ReplayCoach; moment: Moment }>;
  };
}

export interface CoachPanelProps {
  coach: ReplayCoach;
  moment: Moment;
  names: readonly string[];
  /** Whose misses to talk about; null: everyone's. */
  seat: number | null;
  over: boolean;
  /** Show the moment of an event. */
  onjump: (seq: number) => void;
}

/** `done`: the action is what the step asks for. `continue`: it's a part of it. */
export type Judgement = 'done' | 'continue' | 'wrong';

export interface LessonStep<V, A> {
  /** The name of a scene, which the server sets up. */
  scene: string;
  /** How many actions of the scene's example come before this step. */
  actionsBefore: number;
  text: Key;
  /** Absent if there is only something to see. */
  asks?: {
    judge: (action: A, after: V) => Judgement;
    hint?: Key;
    praise: Key;
  };
}

export interface GameLesson<V, A> {
  steps: readonly LessonStep<V, A>[];
  /** Whether the server has to know when a scene began, because a timer runs in it. */
  timed: boolean;
}

export interface RulesSection {
  /** Its fragment of the address, after the #. */
  id: string;
  title: Key;
  texts: readonly Key[];
  /** A figure that the game's Figure component draws. */
  figure?: string;
  /** How it's played here, where the booklets are silent. */
  houseRule?: Key;
}

export interface GameRulesPage {
  sections: readonly RulesSection[];
  Figure: Component<{ figure: string }>;
}

// ---------------------------------------------------------------------------------------- the game

export interface GameModule<V, A, E extends { kind: string }, O> {
  readonly name: GameName;
  /** A picture for the first page. */
  CoverArt: Component;
  /** A small icon for lists. */
  GameIcon: Component;
  /** A player's settings for this game only. */
  Settings?: ComponentLoader<Record<string, never>>;
  /** Whether a turn may take days. */
  allowsSlowPlay: boolean;
  /** Whether one browser may hold several seats of a table that others join by link. */
  allowsSecondSeat: boolean;
  /**
   * Whether players take turns, which sounds and lists of tables announce; in a race they don't.
   */
  hasTurns: boolean;
  /** Whether players can have aids, such as seeing what fits where. */
  hasAids: boolean;
  /** Whether its replay has a coach. */
  hasCoach: boolean;
  /** Whether hands are secret now, so that a device that is passed around needs a curtain. */
  hidesHands(view: V): boolean;
  points(view: V): readonly number[];
  /** Everyone at the end of a match, the best first, with their scores in words. */
  standings(view: V): readonly { seat: number; score: string }[];
  /** The most tiles that a seat laid in one chain, where a game has chains. */
  longestChain?(events: readonly E[], seat: number): number;
  table: ComponentLoader<TableProps<V, A, E>>;
  /** The table on a big screen, for everyone in the room. Nothing in it can be tapped. */
  television: ComponentLoader<TableProps<V, A, E>>;
  setup: Loader<GameSetup<O>>;
  replay: Loader<GameReplay<V, E>>;
  lesson: Loader<GameLesson<V, A>>;
  rulesPage: Loader<GameRulesPage>;
  /** Absent: a curtain falls between turns. */
  passAndPlay?: PassAndPlay;
  passAndPlaySetup: Loader<PassAndPlaySetup>;
  daily?: ComponentLoader<Record<string, never>>;
  companion?: ComponentLoader<Record<string, never>>;
  practice?: ComponentLoader<Record<string, never>>;
}

/** A game whose types the shared code doesn't know. */
export type AnyGame = GameModule<View, GameAction, GameEvent, Options>;

/**
 * Check a module against its game's own types, and let the shared code use it with any view: it
 * only hands a game's own views, actions and events back to it.
 */
export const defineGame = <V extends View, A, E extends { kind: string }, O extends Options>(
  module: GameModule<V, A, E, O>,
): AnyGame => module as unknown as AnyGame;

/**
 * The shape that both games' sessions have. A session holds everything about one player at one
 * table that isn't layout; the game's table puts it into its context, and its components read it
 * there.
 */
export interface TableSession {
  /** What is shown now, which may be a little behind what is known. */
  readonly view: object;
  /** By seat. */
  readonly names: readonly string[];
  /** Whether this is a spectator, whatever seat the view is of. */
  readonly spectator: boolean;
  /** Follow the play. Returns a function that stops it. */
  start(): () => void;
}

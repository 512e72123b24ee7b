/** Sounds made here by the browser: no files. What each is like is in one table. */

export type Sound =
  | 'yourTurn'
  | 'lift'
  | 'lay'
  | 'draw'
  | 'swap'
  | 'bonus'
  | 'wrong'
  | 'tick'
  | 'go'
  | 'lastSeconds'
  | 'ubongo'
  | 'gem'
  | 'roundEnd'
  | 'win'
  | 'talk';

export function play(sound: Sound): void {
  void sound;
}

/** The bots' faces, as paths. */

import type { Level } from '../lib/wire';

/** Drawn by us on a grid of 40, of which the lowest part is for the level's dots. */
export interface BotDrawing {
  head: string;
  /** Each a dot. */
  eyes: string;
  lines: string;
}

export const BOT_DRAWINGS: Record<Level, BotDrawing> = {
  'first-steps': {
    head: 'M16 8A4 4 0 1 1 24 8H25A6 6 0 0 1 31 14V24A6 6 0 0 1 25 30H15A6 6 0 0 1 9 24V14A6 6 0 0 1 15 8Z',
    eyes: 'M14.500 17V17.500M25.500 17V17.500',
    lines: 'M18.500 24A1.500 1.500 0 1 0 21.500 24A1.500 1.500 0 1 0 18.500 24',
  },
  easy: {
    head: 'M20 4A13 13 0 0 1 33 14A3 3 0 1 1 33 20A13 13 0 0 1 7 20A3 3 0 1 1 7 14A13 13 0 0 1 20 4Z',
    eyes: 'M15 14.500V15M25 14.500V15',
    lines: 'M13.500 20.500C16 25.500 24 25.500 26.500 20.500',
  },
  medium: {
    head: 'M20 2.500L32.500 9.500V24L20 31L7.500 24V9.500Z',
    eyes: 'M15 16V16.500M25 16V16.500',
    lines: 'M15 23.500H25M22.500 11L27.500 9.500',
  },
  hard: {
    head: 'M20 2L26 10.200L35.700 13.400L29.700 21.700V31.800L20 28.700L10.300 31.800V21.700L4.300 13.400L14 10.200Z',
    eyes: 'M16 18V18.300M24 18V18.300',
    lines: 'M13 14L18 15.500M27 14L22 15.500M16.500 23.500C19 25 22 24.500 24 22.500',
  },
  master: {
    head: 'M9 4H31V17C31 25 25.500 29.500 20 31.500C14.500 29.500 9 25 9 17Z',
    eyes: 'M14.500 11V11.100M20 10V10.100M25.500 9V9.100',
    lines:
      'M12.500 17C13.500 19 16.500 19 17.500 17M22.500 17C23.500 19 26.500 19 27.500 17M17 24.500C18.500 25.800 21.500 25.800 23 24.500',
  },
};

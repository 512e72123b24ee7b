/** Puzzles for solo practice, from the decks that the game is played with. */

import { COLOURS, type Card, type Deal, type Pieces, type SideName } from '../../../lib/wire';

export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

export interface Deck {
  pieces: Pieces;
  cards: Card[];
}

/** The keys in a deck's JSON file are numbers, which JSON has as text. */
type DeckModule = { default: unknown };
const readDeck = async (file: Promise<DeckModule>): Promise<Deck> => (await file).default as Deck;

export const loadDeck = (side: SideName): Promise<Deck> =>
  side === 5
    ? readDeck(import('../../../../../src/pytlik/ubongo/expert.json'))
    : readDeck(import('../../../../../src/pytlik/ubongo/standard.json'));

/** All puzzles of a difficulty: a third of the cards, whose ids ascend with their difficulty. */
export function listPuzzles(deck: Deck, side: SideName, level: Difficulty): Deal[] {
  const cards = deck.cards.filter((card) => card.sides[side]);
  const third = Math.ceil(cards.length / DIFFICULTIES.length);
  const from = DIFFICULTIES.indexOf(level) * third;
  return cards.slice(from, from + third).flatMap((card) =>
    COLOURS.map((colour) => {
      const { area, sets } = card.sides[side]!;
      const pieces = Object.fromEntries(
        sets[colour].map((number) => [number, deck.pieces[colour][number]!]),
      );
      return { card: card.id, side, colour, area, pieces };
    }),
  );
}

export const puzzleId = ({ side, card, colour }: Deal): string => `${side}-${card}-${colour}`;

/** A puzzle that wasn't seen lately; if all were, one of the older half. */
export function pickPuzzle(from: readonly Deal[], seen: readonly string[], chance: number): Deal {
  const fresh = from.filter((deal) => !seen.includes(puzzleId(deal)));
  const older = from.filter((deal) => !seen.slice(-from.length / 2).includes(puzzleId(deal)));
  const choice = fresh.length ? fresh : older;
  return choice[Math.floor(chance * choice.length)]!;
}

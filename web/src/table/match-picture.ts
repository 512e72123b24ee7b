/** A picture of how a match ended, to send or to save. */

import {
  createPictureCanvas,
  PICTURE_MARGIN_PX,
  resolveColour,
  PICTURE_SIZE_PX,
  drawText,
} from '../lib/result-canvas';
import type { Level } from '../lib/wire';
import { BOT_DRAWINGS } from '../ui/bot-drawings';

export interface PictureRow {
  place: number;
  name: string;
  /** Of a bot. */
  level: Level | null;
  score: string;
  won: boolean;
}

export interface MatchPicture {
  /** The game. */
  title: string;
  date: string;
  /** The best first. */
  rows: readonly PictureRow[];
  /** Where it was played. */
  address: string;
}

const ROWS_TOP_PX = 310;
const ROWS_HEIGHT_PX = 600;
const LARGEST_ROW_PX = 150;
const ROW_GAP_PX = 16;
/**
 * The grid that bots are drawn on, and the middle of a head, below which there is room for dots.
 */
const BOT_DRAWING_SIZE = 40;
const HEAD_MIDDLE = 17;

export function drawMatchPicture({ title, date, rows, address }: MatchPicture): HTMLCanvasElement {
  const { canvas, pen } = createPictureCanvas();
  const ink = resolveColour('var(--ink)');
  const soft = resolveColour('var(--soft)');
  drawText(pen, title, { y: 185, size: 84, weight: 800, colour: ink });
  drawText(pen, date, { y: 260, size: 44, weight: 500, colour: soft });
  const height = Math.min(LARGEST_ROW_PX, ROWS_HEIGHT_PX / rows.length);
  const top = ROWS_TOP_PX + (ROWS_HEIGHT_PX - height * rows.length) / 2;
  rows.forEach((row, index) => drawRow(pen, row, top + index * height, height - ROW_GAP_PX));
  drawText(pen, address, { y: 985, size: 36, weight: 500, colour: soft });
  return canvas;
}

function drawRow(
  pen: CanvasRenderingContext2D,
  { place, name, level, score, won }: PictureRow,
  y: number,
  height: number,
): void {
  const [left, right] = [PICTURE_MARGIN_PX, PICTURE_SIZE_PX - PICTURE_MARGIN_PX];
  pen.fillStyle = resolveColour(won ? 'var(--gold)' : 'var(--raised)');
  pen.beginPath();
  pen.roundRect(left, y, right - left, height, 28);
  pen.fill();

  const colour = resolveColour(won ? 'var(--gold-ink)' : 'var(--ink)');
  const line = { y: y + height / 2 + 17, size: 50, colour };
  drawText(pen, String(place), { ...line, x: left + 56, room: 60, weight: 800 });
  const face = height * 0.8;
  const nameLeft = left + 110 + (level ? face + 16 : 0);
  if (level) drawBotFace(pen, level, left + 100, y + height / 2, face);
  const scoreRoom = 300;
  const room = right - 44 - scoreRoom - 24 - nameLeft;
  drawText(pen, name, { ...line, x: nameLeft, room, align: 'start', weight: 800 });
  drawText(pen, score, { ...line, x: right - 44, room: scoreRoom, align: 'end', weight: 500 });
}

function drawBotFace(
  pen: CanvasRenderingContext2D,
  level: Level,
  x: number,
  middle: number,
  side: number,
): void {
  const { head, eyes, lines } = BOT_DRAWINGS[level];
  pen.save();
  pen.translate(x, middle);
  pen.scale(side / BOT_DRAWING_SIZE, side / BOT_DRAWING_SIZE);
  pen.translate(0, -HEAD_MIDDLE);
  pen.lineCap = pen.lineJoin = 'round';
  pen.strokeStyle = resolveColour('var(--bot-line)');
  pen.fillStyle = resolveColour(`var(--bot-${level})`);
  pen.fill(new Path2D(head));
  pen.lineWidth = 2;
  pen.stroke(new Path2D(head));
  pen.stroke(new Path2D(lines));
  pen.lineWidth = 4;
  pen.stroke(new Path2D(eyes));
  pen.restore();
}

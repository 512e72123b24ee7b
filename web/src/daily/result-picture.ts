/** A picture of a result, to send or to save. Like the text, it doesn't give away the solution. */

import {
  createPictureCanvas,
  resolveColour,
  TEXT_WIDTH_PX,
  PICTURE_SIZE_PX,
  drawText,
} from '../lib/result-canvas';
import type { ResultSymbol, SharedResult } from './shared-result';

export interface ResultPictureTexts {
  /** The game's puzzle of the day. */
  title: string;
  date: string;
  /** How many days in a row; empty for a single one. */
  streak: string;
  /** The address of the puzzle. */
  address: string;
}

const LARGEST_SYMBOL_PX = 120;
const SYMBOL_GAP = 0.16;

export function drawResultPicture(
  shared: SharedResult,
  texts: ResultPictureTexts,
): HTMLCanvasElement {
  const { canvas, pen } = createPictureCanvas();
  const ink = resolveColour('var(--ink)');
  const soft = resolveColour('var(--soft)');
  drawText(pen, texts.title, { y: 190, size: 84, weight: 800, colour: ink });
  drawText(pen, `${texts.date} · ${shared.kind}`, { y: 275, size: 44, weight: 500, colour: soft });
  drawSymbols(pen, shared.symbols, 470);
  drawText(pen, shared.result, { y: 710, size: 120, weight: 800, colour: ink });
  drawText(pen, texts.streak, { y: 830, size: 56, weight: 700, colour: ink });
  drawText(pen, texts.address, { y: 970, size: 36, weight: 500, colour: soft });
  return canvas;
}

function drawSymbols(
  pen: CanvasRenderingContext2D,
  symbols: readonly ResultSymbol[],
  y: number,
): void {
  const side = Math.min(LARGEST_SYMBOL_PX, TEXT_WIDTH_PX / (symbols.length * (1 + SYMBOL_GAP)));
  const first = PICTURE_SIZE_PX / 2 - ((symbols.length - 1) / 2) * side * (1 + SYMBOL_GAP);
  pen.lineWidth = side / 16;
  pen.lineJoin = 'round';
  symbols.forEach((symbol, index) => {
    const x = first + index * side * (1 + SYMBOL_GAP);
    pen.beginPath();
    if (symbol.shape === 'square')
      pen.roundRect(x - side / 2, y - side / 2, side, side, side * 0.18);
    else
      for (let corner = 0; corner < 6; corner++) lineToHexagonCorner(pen, x, y, side / 2, corner);
    pen.closePath();
    pen.strokeStyle = resolveColour('var(--soft)');
    if (symbol.fill) {
      pen.fillStyle = resolveColour(symbol.fill);
      pen.fill();
    } else pen.stroke();
  });
}

function lineToHexagonCorner(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  corner: number,
): void {
  const angle = (Math.PI / 3) * corner + Math.PI / 6;
  pen.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
}

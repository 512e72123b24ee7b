/** Giving a picture to others. */

import { downloadFile } from './download';

/** Offer the system's own way to send a picture; else download it. */
export async function sharePicture(canvas: HTMLCanvasElement, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  if (!blob) return;
  const file = new File([blob], name, { type: blob.type });
  // Not every browser has it, whatever the types say.
  const canShare = (navigator as Partial<Navigator>).canShare?.bind(navigator);
  if (canShare?.({ files: [file] })) {
    try {
      return await navigator.share({ files: [file] });
    } catch (error) {
      // The user has closed the system's sheet: that isn't an error.
      if (error instanceof DOMException && error.name === 'AbortError') return;
    }
  }
  downloadFile(file);
}

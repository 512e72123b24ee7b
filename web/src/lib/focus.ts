/** The keyboard is never left without a place on the page. */

import type { Attachment } from 'svelte/attachments';

/** When what had the focus is gone, this has it. */
export const focusIfLost: Attachment<HTMLElement> = (element) => {
  if (document.activeElement === null || document.activeElement === document.body) element.focus();
};

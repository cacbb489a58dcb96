import { appearance } from '../browser/appearance.ts';
import { launched } from '../browser/chromium.ts';
import { documentation } from '../browser/documentation.ts';
import { foreign } from '../browser/foreign.ts';
import { forms } from '../browser/forms.ts';
import { keyboard } from '../browser/keyboard.ts';
import type { Part } from '../part.ts';

/** Checks pages in Chromium: accessibility by axe, the keyboard, forms, another origin, and the documentation. */
export const part: Part = {
  about: 'pages in Chromium: axe, keyboard, another origin',
  needs: ['chromium'],
  run: async (given) => {
    const browser = await launched();
    try {
      // Appearance is first, because it needs empty lists too.
      for (const some of [appearance, keyboard, forms, foreign, documentation]) await some(browser, given);
    } finally {
      await browser.close();
    }
  },
};

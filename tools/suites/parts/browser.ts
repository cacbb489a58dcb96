import { appearance } from '../browser/appearance.ts';
import { launched } from '../browser/chromium.ts';
import { documentation } from '../browser/documentation.ts';
import { foreign } from '../browser/foreign.ts';
import { forms } from '../browser/forms.ts';
import { keyboard } from '../browser/keyboard.ts';
import type { Part } from '../part.ts';

/** Pages as people have them: Chromium, axe, a keyboard, another origin. */
export const part: Part = {
  about: 'pages in Chromium: axe, keyboard, another origin',
  needs: ['chromium'],
  run: async (given) => {
    const browser = await launched();
    try {
      // Appearance first: it looks at empty lists too.
      for (const some of [appearance, keyboard, forms, foreign, documentation]) await some(browser, given);
    } finally {
      await browser.close();
    }
  },
};

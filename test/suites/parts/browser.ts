import { appearance } from '../browser/appearance.ts';
import { launched } from '../browser/chromium.ts';
import type { Part } from '../part.ts';

/** Pages as people have them: Chromium, axe, a keyboard, another origin. */
export const part: Part = {
  about: 'pages in Chromium, judged by axe',
  needs: ['chromium'],
  run: async (given) => {
    const browser = await launched();
    try {
      await appearance(browser, given);
    } finally {
      await browser.close();
    }
  },
};

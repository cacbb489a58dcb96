import { appearance } from '../browser/appearance.ts';
import { launched, limited } from '../browser/chromium.ts';
import { clicks } from '../browser/clicks.ts';
import { documentation } from '../browser/documentation.ts';
import { forms } from '../browser/forms.ts';
import { keyboard } from '../browser/keyboard.ts';
import { foreign } from '../browser/origins/foreign.ts';
import { sibling } from '../browser/origins/sibling.ts';
import { policy } from '../browser/policy.ts';
import { signIn } from '../browser/sign-in.ts';
import type { Part } from '../part.ts';
import { startService } from '../service.ts';

/**
 * Checks pages in Chromium: accessibility by axe, markup, clicks, the keyboard, forms, another origin, documentation and
 * sign-in.
 */
export const part: Part = {
  about: 'pages in Chromium: axe, markup, keyboard, another origin, sign-in',
  needs: ['chromium', 'java'],
  run: async (given) => {
    const browser = await launched();
    try {
      const check = limited(given.check);
      // Appearance is first, because it needs empty lists too.
      for (const some of [appearance, keyboard, forms, foreign, policy, documentation, clicks])
        await some(browser, { ...given, check });
      const service = await startService(['--auth']);
      try {
        for (const some of [signIn, sibling]) await some(browser, { service, check });
      } finally {
        await service.stop();
      }
    } finally {
      await browser.close();
    }
  },
};

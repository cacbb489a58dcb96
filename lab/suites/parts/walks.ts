import type { Part } from '../part.ts';
import { CLIENTS } from '../walks/clients.ts';
import { LARGE, stepsOf } from '../walks/steps.ts';

/** Checks that clients in other languages walk the whole request, each with its defaults. */
export const part: Part = {
  about: 'the whole request by clients in other languages',
  needs: ['curl', 'go', 'python3'],
  run: async ({ service, check }) => {
    await service.storeLarge('large.bin', LARGE, 'application/octet-stream');
    for (const [name, start] of Object.entries(CLIENTS)) {
      const client = start(service.folder);
      const steps = stepsOf(client, service.url, name.replace('/', '-'));
      for (const [step, run] of Object.entries(steps)) await check(`${name}: ${step}`, run);
      client.end();
    }
  },
};

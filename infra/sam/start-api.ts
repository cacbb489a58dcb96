import { main, ownArguments, runSam } from './run.ts';

/** `npm run sam:start-api`: all functions in containers behind SAM's API, on the data of a running `npm start`. */
await main(() => {
  const { own, passedOn } = ownArguments();
  return runSam(['start-api', '--warm-containers', 'LAZY'], [...own, ...passedOn]);
});

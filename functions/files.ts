import { files as store } from 'resource-api';

/** Files: a store whose names the client chooses. */
export const files = store({
  about: 'Files under names that the client chooses, stored and served byte for byte.',
  history: { days: 30 },
});

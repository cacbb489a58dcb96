import { type ClientSettings, currentSettings } from './settings.ts';

/** A client made at the first call, and again after other settings were attached. `make`: from the attached settings. */
export function lazyClient<Client>(make: (settings: ClientSettings) => Client): () => Client {
  let made: { client: Client; settings: ClientSettings } | undefined;
  return () => {
    const settings = currentSettings();
    if (made?.settings !== settings) {
      made = { client: make(settings), settings };
    }
    return made.client;
  };
}

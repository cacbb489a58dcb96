import { currentSettings, type Settings } from './settings.ts';

/** A client made at the first call, and again after other settings were attached. `make`: from the attached settings. */
export function attachedClient<Client>(make: (settings: Settings) => Client): () => Client {
  let made: { client: Client; settings: Settings } | undefined;
  return () => {
    const settings = currentSettings();
    if (made?.settings !== settings) {
      made = { client: make(settings), settings };
    }
    return made.client;
  };
}

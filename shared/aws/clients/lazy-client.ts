import { type ClientSettings, currentSettings } from './settings.ts';

/**
 * A client that the first call creates, and the first call after `configureClients` creates again. `make` creates
 * it from the current settings.
 */
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

import { openApi } from '../../openapi/document.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** The description of the service without base path, as it is committed: two spaces, so that changes can be read. */
export const openApiSource = (registry: readonly Resource[]): string =>
  `${JSON.stringify(openApi(registry), null, 2)}\n`;

import { openApi } from '../../openapi/document.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** Returns the description of the service without base path, indented by two spaces so that diffs are readable. */
export const openApiSource = (registry: readonly Resource[]): string =>
  `${JSON.stringify(openApi(registry), null, 2)}\n`;

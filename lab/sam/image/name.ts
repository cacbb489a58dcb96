import { succeed } from '../../program.ts';

/** The architecture of the containers. It equals that of this machine, so that Docker emulates nothing. */
export const ARCHITECTURE = process.arch === 'arm64' ? 'arm64' : 'x86_64';

/**
 * The image that SAM uses for the runtime of the functions, and the image that it derives from it.
 *
 * Source: AWS SAM CLI 1.170.0, samcli/local/docker/lambda_image.py.
 */
export const IMAGE = `public.ecr.aws/lambda/nodejs:24-${ARCHITECTURE}`;
export const DERIVED_IMAGE = `public.ecr.aws/lambda/nodejs:24-rapid-${ARCHITECTURE}`;

/** The label with the recipe of an image that `npm run lab -- sam image` made. */
export const RECIPE = 'resource-api.recipe';

/** The recipe of an image from a registry. */
export const PULLED = 'pulled';

/** The recipe of the image on this machine; '' if it is unknown; PULLED; undefined if there is no image. */
export async function recipeOfImage(): Promise<string | undefined> {
  // For a missing image, this list is empty, while `inspect` would fail.
  const ids = await succeed('docker', ['images', '--quiet', IMAGE], 'No Docker engine responds: start one');
  const id = ids.trim();
  if (id === '') return undefined;
  const recipe = `{{with .Config.Labels}}{{index . "${RECIPE}"}}{{end}}`;
  const format = `${recipe}|{{if .RepoDigests}}${PULLED}{{end}}`;
  const shown = await succeed('docker', ['inspect', '--format', format, id], `${IMAGE} is gone`);
  const [made = '', pulled = ''] = shown.trim().split('|');
  return made || pulled;
}

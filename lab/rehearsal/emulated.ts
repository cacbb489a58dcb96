/** What the emulators of AWS have in common. */

export const REGION = 'us-east-1';
/** The account of all resources. */
export const ACCOUNT = '123456789012';

/** Returns the environment that makes AWS tools use the emulator at an address only. */
export const environmentFor = (url: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  AWS_ENDPOINT_URL: url,
  // Buckets are in the path then. No name server knows their hosts.
  AWS_ENDPOINT_URL_S3: url,
  AWS_ACCESS_KEY_ID: 'rehearsal',
  AWS_SECRET_ACCESS_KEY: 'rehearsal',
  AWS_REGION: REGION,
  AWS_DEFAULT_REGION: REGION,
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  NO_PROXY: 'localhost',
  PYTHONDONTWRITEBYTECODE: '1',
});

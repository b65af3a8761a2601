/**
 * The credentials of local buckets.
 */
export const ACCESS_KEY_ID = 'local-access-key';
export const SECRET_ACCESS_KEY = 'local-secret-access-key';

/** For a client in the tests' process. */
export const CREDENTIALS = {
  accessKeyId: ACCESS_KEY_ID,
  secretAccessKey: SECRET_ACCESS_KEY,
  sessionToken: undefined,
  region: 'auto',
};

/** The variables that pass them to commands. */
export const BUCKET_ENVIRONMENT: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: ACCESS_KEY_ID,
  AWS_SECRET_ACCESS_KEY: SECRET_ACCESS_KEY,
};

import { CredentialsMissing } from './errors.ts';

/** Credentials for signing requests to a bucket. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken: string | undefined;
  /** R2's only region is `auto`. */
  readonly region: string;
}

/** Reads the standard environment variables of S3 tools. @throws CredentialsMissing */
export function readCredentials(): Credentials {
  const required = (name: string, value: string | undefined): string => {
    if (value === undefined) throw new CredentialsMissing(name);
    return value;
  };
  return {
    accessKeyId: required('AWS_ACCESS_KEY_ID', process.env['AWS_ACCESS_KEY_ID']),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY', process.env['AWS_SECRET_ACCESS_KEY']),
    sessionToken: process.env['AWS_SESSION_TOKEN'],
    region: process.env['AWS_REGION'] ?? 'auto',
  };
}

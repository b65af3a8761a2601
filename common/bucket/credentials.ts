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

/** The standard environment variables of S3 tools. */
export interface CredentialVariables {
  readonly AWS_ACCESS_KEY_ID: string | undefined;
  readonly AWS_SECRET_ACCESS_KEY: string | undefined;
  readonly AWS_SESSION_TOKEN: string | undefined;
  readonly AWS_REGION: string | undefined;
}

/** @throws CredentialsMissing */
export function readCredentials(variables: CredentialVariables): Credentials {
  const required = (name: 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY'): string => {
    const value = variables[name];
    if (value === undefined) throw new CredentialsMissing(name);
    return value;
  };
  return {
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
    sessionToken: variables.AWS_SESSION_TOKEN,
    region: variables.AWS_REGION ?? 'auto',
  };
}

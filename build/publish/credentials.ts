import { CredentialsMissing } from './errors.ts';

/** What signs the requests to a bucket. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of credentials that hold for a while only. */
  readonly sessionToken: string | undefined;
  /** R2 has one, `auto`. */
  readonly region: string;
}

/** The variables that every tool for S3 reads; an empty one counts as not set. */
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
    if (!value) throw new CredentialsMissing(name);
    return value;
  };
  return {
    accessKeyId: required('AWS_ACCESS_KEY_ID'),
    secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
    sessionToken: variables.AWS_SESSION_TOKEN || undefined,
    region: variables.AWS_REGION || 'auto',
  };
}

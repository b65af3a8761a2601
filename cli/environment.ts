/** Offprint's own variables, and those that its libraries read for it. Others are passed on as they are to programs it runs. */
const OWN = /^(?:(?:OFFPRINT|AWS|CLOUDFLARE)_|PG|(?:HOST|PORT|ADDRESS_SECRET)$)/;

/**
 * Removes empty variables, which compose files and units of systemd pass for those that are not set. An empty HOST would
 * listen on every address. Child processes and threads inherit the rest.
 */
export function ignoreEmptyVariables(): void {
  for (const [name, value = ''] of Object.entries(process.env))
    if (OWN.test(name) && value.trim() === '') delete process.env[name];
}

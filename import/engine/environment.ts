/** The variables of this process that engines see, in any case, since Windows has `Path`. */
const ALLOWED: readonly RegExp[] = [
  // Systems.
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|CI|TZ|TZDIR|TMPDIR|TMP|TEMP|XDG_\w+_(?:HOME|DIRS?))$/i,
  /^(?:LANG|LANGUAGE|LC_\w+|LOCALE_ARCHIVE|(?:LD|DYLD(?:_FALLBACK)?)_LIBRARY_PATH)$/i,
  /^(?:SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|OS|PROCESSOR_ARCHITECTURE|NUMBER_OF_PROCESSORS)$/i,
  /^(?:(?:LOCAL)?APPDATA|(?:Common)?Program(?:Data|Files|W6432)(?:\(x86\))?)$/i,
  /^(?:USERPROFILE|USERNAME|HOMEDRIVE|HOMEPATH)$/i,
  // Downloads. A proxy keeps its password: it is meant for all programs, and nothing could be downloaded without it.
  /^(?:(?:https?|ftp|all|no)_proxy|(?:NIX_)?SSL_CERT_(?:FILE|DIR))$/i,
  // Ruby, and managers of its versions.
  /^(?:RUBY(?:LIB|OPT|_\w+)|GEM_(?:HOME|PATH|ROOT|SPEC_CACHE))$/i,
  /^(?:RBENV|ASDF|RVM|MISE)_(?:ROOT|PATH|DIR|DATA_DIR|VERSION)$/i,
  // Hugo's modules and pipes, much as in Hugo's own list (`security.exec.osEnv`).
  /^GO(?:PATH|ROOT|ENV|PROXY|PRIVATE|NOPROXY|SUMDB|NOSUMDB|INSECURE|VCS|AUTH|FLAGS|CACHE|MODCACHE|TOOLCHAIN)$/i,
  /^(?:GO111MODULE|SSH_AUTH_SOCK|NODE_(?:PATH|ENV|OPTIONS|EXTRA_CA_CERTS))$/i,
  // What is set for an engine, even if it is a password.
  /^(?:BUNDLER?_\w+|JEKYLL_\w+|PAGES_(?:ENV|REPO_NWO)|HUGO\w*)$/i,
];

/** A site's programs run code of others, which must not see the passwords and keys of other programs. */
export function engineEnvironment(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => ALLOWED.some((allowed) => allowed.test(name))),
  );
}

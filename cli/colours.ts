import picocolors from 'picocolors';

const { NO_COLOR, FORCE_COLOR, TERM } = process.env;

/** Colours only on terminals: not in files, pipes and continuous integration (no-color.org). */
const isTerminal = Boolean(process.stdout.isTTY && process.stderr.isTTY) && TERM !== 'dumb';
const isColoured = !NO_COLOR && (Boolean(FORCE_COLOR) || isTerminal);

export const colours = picocolors.createColors(isColoured);

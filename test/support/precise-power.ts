/** Numbers have 60 decimals. */
const ONE = 10n ** 60n;

/** Returns x to the power of y, for x from 0 to 1 and both with 18 decimals, as a number with 60 decimals. */
export function precisePower(x: bigint, y: bigint): bigint {
  if (x === 0n) return y === 0n ? ONE : 0n;
  return exponential((logarithm(x * 10n ** 42n) * y) / 10n ** 18n);
}

/** The natural logarithm of x, from 0 to 1: halves of 2 until x is near 1, then the series of artanh. */
function logarithm(x: bigint): bigint {
  if (x < ONE / 2n) return logarithm(x * 2n) - LOGARITHM_OF_2;
  return 2n * artanh(((x - ONE) * ONE) / (x + ONE));
}

const LOGARITHM_OF_2 = 2n * artanh(ONE / 3n);

function artanh(x: bigint): bigint {
  let sum = 0n;
  let power = x;
  for (let odd = 1n; power / odd !== 0n; odd += 2n) {
    sum += power / odd;
    power = (((power * x) / ONE) * x) / ONE;
  }
  return sum;
}

/** e to the power of x, for x up to 0. */
function exponential(x: bigint): bigint {
  if (x < -ONE) return exponential(x / 2n) ** 2n / ONE;
  let sum = 0n;
  let term = ONE;
  for (let count = 1n; term !== 0n; count++) {
    sum += term;
    term = (term * x) / ONE / count;
  }
  return sum;
}

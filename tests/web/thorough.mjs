// What only `cargo xtask test thorough` looks at: tests/README.md has the list.

export const is_thorough = Boolean(process.env.STEPLENS_THOROUGH);

/** Does `add`, which adds tests, in a thorough run. */
export const thorough = (add) => {
  if (is_thorough) add();
};

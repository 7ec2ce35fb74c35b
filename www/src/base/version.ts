// The version of Steplens that this page is; the workspace's, in Cargo.toml.
export const version = '0.1.0';

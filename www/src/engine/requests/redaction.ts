// What of a trace's texts a shared file holds.

/** What is included: words of kinds (`names`, `hosts`); the key of all hashes in 32 hexadecimal digits; public op types, one a line. */
export interface RedactionRequest {
  included: readonly string[];
  key: string;
  public: string;
}

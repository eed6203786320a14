"""Rules: parse, check, stratify, evaluate, prove, maintain."""

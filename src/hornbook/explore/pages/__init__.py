"""The pages, each a function from a visit to what it has to say."""

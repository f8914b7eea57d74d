#!/usr/bin/env node
// A file of its own, so that the command can be linked before the server is built.
import '../dist/cli.js';

#!/usr/bin/env node
// A separate file, so that the command can be linked before the server is built.
import '../dist/cli.js';

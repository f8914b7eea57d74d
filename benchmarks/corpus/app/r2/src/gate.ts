interface Gate {
  port?: { name: string };
}

function nameOf(gate: Gate): string {
  return gate.port!.name;
}

export function listGates(gates: Gate[]): string {
  const names = gates.map(nameOf);
  return names.sort().join(' / ');
}

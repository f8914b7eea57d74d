interface Gate {
  port?: { name: string };
}

const nameOf = (gate: Gate): string => gate.port!.name;

export function listGates(gates: Gate[]): string {
  const names = gates.map(nameOf);
  return names.sort().join(' / ');
}

interface Cabin {
  number: string;
  harbor?: { city: string };
}

export function CabinList({ cabins }: { cabins: Cabin[] }) {
  const first = cabins[0]!;
  return (
    <section>
      <h2>From {first.harbor!.city}</h2>
      <p>{cabins.length} cabins</p>
    </section>
  );
}

/** The animals of the demo shop, by category: single animals with names, and stocked ones. */

type Individuals = {
  readonly name: string
  readonly description: string
  readonly animals: ReadonlyArray<string>
}

export type StockItem = {
  readonly name: string
  readonly description: string
  /** The names and how many units of each were added. */
  readonly stock: ReadonlyArray<readonly [name: string, units: number]>
}

const named = (name: string, description: string, animals: string): Individuals => ({
  name,
  description,
  animals: animals.split(", ")
})

/** 138 animals, each the only one of its name and kind. */
export const INDIVIDUALS: ReadonlyArray<Individuals> = [
  named(
    "Dogs",
    "From puppies to seniors; each has met children, cats and the postman",
    "Biscuit, Bella, Rufus, Luna, Max, Daisy, Cooper, Maple, Otto, Rosie, Bruno, Nala, " +
      "Archie, Willow, Hank, Pepper, Teddy, Olive, Moose, Juniper, Scout, Hazel, Winston, " +
      "Ruby, Ziggy, Penny, Oskar, Clementine"
  ),
  named(
    "Cats",
    "Indoor and outdoor cats, neutered, chipped and opinionated",
    "Misty, Oliver, Cleo, Simba, Chloé, Felix, Pumpkin, Salem, Tigger, Mochi, Shadow, " +
      "Ginger, Jasper, Minou, Smokey, Pixel, Boots, Duchess, Leo, Sesame, Whiskers, Nova, " +
      "Figaro, Dumpling, Kiki, Basil, Marmalade, Socks"
  ),
  named(
    "Rabbits",
    "House rabbits, best taken home in pairs",
    "Clover, Thumper, Hazelnut, Snowball, Poppy, Bigwig, Fern, Cinnamon, Parsley, Velvet, " +
      "Dandelion, Barley, Marshmallow, Truffle, Bramble, Flopsy"
  ),
  named(
    "Guinea pigs",
    "Sociable, talkative, fond of cucumber",
    "Peanut, Popcorn, Nutmeg, Churro, Gizmo, Butterscotch, Tofu, Wheatley, Pancake, Rolo, " +
      "Squeaks, Caramel, Doodle, Fudge"
  ),
  named(
    "Hamsters",
    "Syrian and dwarf hamsters, awake when you are not",
    "Nibbles, Hugo, Button, Waffles, Chip, Sprout, Turbo, Acorn, Mimi, Houdini, Pip, Kernel"
  ),
  named(
    "Ferrets",
    "Playful, curious, in need of company",
    "Bandit, Slinky, Noodle, Loki, Zorro, Freya"
  ),
  named(
    "Parrots",
    "Hand-raised parrots and cockatiels, some of whom talk",
    "Rio, Kiwi, Mango, Captain, Sunny, Papaya, Echo, Jacques, Indigo, Pistachio, Coco, Merlin"
  ),
  named(
    "Hens",
    "Laying hens of old breeds for gardens with a fence",
    "Henrietta, Pearl, Goldie, Mother Goose, Dorothy, Beatrix, Amber, Ms. Cluck, Saffron, " +
      "Omelette, Agnes, Feather"
  ),
  named(
    "Tortoises",
    "Land tortoises, sold with papers and retryBudget",
    "Sheldon, Tank, Mathilda, Crush, Speedy, Methuselah, Pebble, Darwin, Flash, Gertrude"
  )
]

/** 62 kinds that are kept by the number. */
export const STOCKED: ReadonlyArray<StockItem> = [
  {
    name: "Freshwater fish",
    description: "Community fish for aquaria from 60 litres",
    stock: [
      ["Neon tetra", 120],
      ["Cardinal tetra", 80],
      ["Comet goldfish", 24],
      ["Fantail goldfish", 12],
      ["Ryukin goldfish", 6],
      ["Guppy", 90],
      ["Endler's livebearer", 45],
      ["Black molly", 30],
      ["Swordtail", 28],
      ["Platy", 36],
      ["Betta", 14],
      ["Zebra danio", 60],
      ["Harlequin rasbora", 48],
      ["Cherry barb", 32],
      ["Tiger barb", 40],
      ["Bronze corydoras", 26],
      ["Panda corydoras", 18],
      ["Bristlenose pleco", 9],
      ["Angelfish", 11],
      ["Discus", 4],
      ["Dwarf gourami", 16],
      ["Pearl gourami", 10],
      ["Ram cichlid", 8],
      ["Kuhli loach", 22]
    ]
  },
  {
    name: "Finches and canaries",
    description: "Small songbirds, sold in pairs or to an existing flock",
    stock: [
      ["Zebra finch", 20],
      ["Gouldian finch", 8],
      ["Society finch", 12],
      ["Star finch", 6],
      ["Yellow canary", 9],
      ["Red factor canary", 5],
      ["Gloster canary", 4],
      ["Java sparrow", 7]
    ]
  },
  {
    name: "Reptiles and invertebrates",
    description: "Geckos, stick insects and others for the terrarium",
    stock: [
      ["Leopard gecko", 6],
      ["Crested gecko", 5],
      ["Bearded dragon", 3],
      ["Corn snake", 2],
      ["Ball python", 2],
      ["Green anole", 8],
      ["Giant African millipede", 4],
      ["Indian stick insect", 50],
      ["Giant prickly stick insect", 10],
      ["Chilean rose tarantula", 1],
      ["Emperor scorpion", 2],
      ["Vampire crab", 12],
      ["Red cherry shrimp", 150],
      ["Amano shrimp", 40],
      ["Nerite snail", 65],
      ["Marbled crayfish", 5],
      ["Fire-bellied toad", 7],
      ["White's tree frog", 4],
      ["Axolotl", 3],
      ["Hermit crab", 15],
      ["Madagascar hissing cockroach", 30],
      ["Praying mantis", 6],
      ["African land snail", 9],
      ["Mealworm beetle", 200],
      ["Ghost mantis", 3],
      ["Orchid mantis", 2],
      ["Blue death-feigning beetle", 8],
      ["Pink-toe tarantula", 1],
      ["Bamboo shrimp", 14],
      ["Mystery snail", 25]
    ]
  }
]

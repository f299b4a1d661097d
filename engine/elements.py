"""The 118 elements: facts shared by several games. No rules here.

Names are US English (Aluminum, Cesium, Sulfur), because Atom Duel breaks ties by name.
"""

from __future__ import annotations

from typing import NamedTuple


class Element(NamedTuple):
    """One element.

    `shells` counts the electrons in each shell of the neutral atom in its ground state, innermost first
    (measured up to Lr, computed beyond). `weight` is the abridged standard atomic weight, or the mass number
    of the longest-lived isotope if an element has no standard weight.
    """

    z: int
    symbol: str
    name: str
    category: str
    shells: tuple[int, ...]
    weight: float


ELEMENTS: tuple[Element, ...] = (
    Element(1, "H", "Hydrogen", "nonmetal", (1,), 1.008),
    Element(2, "He", "Helium", "noble gas", (2,), 4.0026),
    Element(3, "Li", "Lithium", "alkali metal", (2, 1), 6.94),
    Element(4, "Be", "Beryllium", "alkaline earth metal", (2, 2), 9.0122),
    Element(5, "B", "Boron", "metalloid", (2, 3), 10.81),
    Element(6, "C", "Carbon", "nonmetal", (2, 4), 12.011),
    Element(7, "N", "Nitrogen", "nonmetal", (2, 5), 14.007),
    Element(8, "O", "Oxygen", "nonmetal", (2, 6), 15.999),
    Element(9, "F", "Fluorine", "halogen", (2, 7), 18.998),
    Element(10, "Ne", "Neon", "noble gas", (2, 8), 20.180),
    Element(11, "Na", "Sodium", "alkali metal", (2, 8, 1), 22.990),
    Element(12, "Mg", "Magnesium", "alkaline earth metal", (2, 8, 2), 24.305),
    Element(13, "Al", "Aluminum", "post-transition metal", (2, 8, 3), 26.982),
    Element(14, "Si", "Silicon", "metalloid", (2, 8, 4), 28.085),
    Element(15, "P", "Phosphorus", "nonmetal", (2, 8, 5), 30.974),
    Element(16, "S", "Sulfur", "nonmetal", (2, 8, 6), 32.06),
    Element(17, "Cl", "Chlorine", "halogen", (2, 8, 7), 35.45),
    Element(18, "Ar", "Argon", "noble gas", (2, 8, 8), 39.95),
    Element(19, "K", "Potassium", "alkali metal", (2, 8, 8, 1), 39.098),
    Element(20, "Ca", "Calcium", "alkaline earth metal", (2, 8, 8, 2), 40.078),
    Element(21, "Sc", "Scandium", "transition metal", (2, 8, 9, 2), 44.956),
    Element(22, "Ti", "Titanium", "transition metal", (2, 8, 10, 2), 47.867),
    Element(23, "V", "Vanadium", "transition metal", (2, 8, 11, 2), 50.942),
    Element(24, "Cr", "Chromium", "transition metal", (2, 8, 13, 1), 51.996),
    Element(25, "Mn", "Manganese", "transition metal", (2, 8, 13, 2), 54.938),
    Element(26, "Fe", "Iron", "transition metal", (2, 8, 14, 2), 55.845),
    Element(27, "Co", "Cobalt", "transition metal", (2, 8, 15, 2), 58.933),
    Element(28, "Ni", "Nickel", "transition metal", (2, 8, 16, 2), 58.693),
    Element(29, "Cu", "Copper", "transition metal", (2, 8, 18, 1), 63.546),
    Element(30, "Zn", "Zinc", "transition metal", (2, 8, 18, 2), 65.38),
    Element(31, "Ga", "Gallium", "post-transition metal", (2, 8, 18, 3), 69.723),
    Element(32, "Ge", "Germanium", "metalloid", (2, 8, 18, 4), 72.630),
    Element(33, "As", "Arsenic", "metalloid", (2, 8, 18, 5), 74.922),
    Element(34, "Se", "Selenium", "nonmetal", (2, 8, 18, 6), 78.971),
    Element(35, "Br", "Bromine", "halogen", (2, 8, 18, 7), 79.904),
    Element(36, "Kr", "Krypton", "noble gas", (2, 8, 18, 8), 83.798),
    Element(37, "Rb", "Rubidium", "alkali metal", (2, 8, 18, 8, 1), 85.468),
    Element(38, "Sr", "Strontium", "alkaline earth metal", (2, 8, 18, 8, 2), 87.62),
    Element(39, "Y", "Yttrium", "transition metal", (2, 8, 18, 9, 2), 88.906),
    Element(40, "Zr", "Zirconium", "transition metal", (2, 8, 18, 10, 2), 91.224),
    Element(41, "Nb", "Niobium", "transition metal", (2, 8, 18, 12, 1), 92.906),
    Element(42, "Mo", "Molybdenum", "transition metal", (2, 8, 18, 13, 1), 95.95),
    Element(43, "Tc", "Technetium", "transition metal", (2, 8, 18, 13, 2), 97),
    Element(44, "Ru", "Ruthenium", "transition metal", (2, 8, 18, 15, 1), 101.07),
    Element(45, "Rh", "Rhodium", "transition metal", (2, 8, 18, 16, 1), 102.91),
    Element(46, "Pd", "Palladium", "transition metal", (2, 8, 18, 18), 106.42),
    Element(47, "Ag", "Silver", "transition metal", (2, 8, 18, 18, 1), 107.87),
    Element(48, "Cd", "Cadmium", "transition metal", (2, 8, 18, 18, 2), 112.41),
    Element(49, "In", "Indium", "post-transition metal", (2, 8, 18, 18, 3), 114.82),
    Element(50, "Sn", "Tin", "post-transition metal", (2, 8, 18, 18, 4), 118.71),
    Element(51, "Sb", "Antimony", "metalloid", (2, 8, 18, 18, 5), 121.76),
    Element(52, "Te", "Tellurium", "metalloid", (2, 8, 18, 18, 6), 127.60),
    Element(53, "I", "Iodine", "halogen", (2, 8, 18, 18, 7), 126.90),
    Element(54, "Xe", "Xenon", "noble gas", (2, 8, 18, 18, 8), 131.29),
    Element(55, "Cs", "Cesium", "alkali metal", (2, 8, 18, 18, 8, 1), 132.91),
    Element(56, "Ba", "Barium", "alkaline earth metal", (2, 8, 18, 18, 8, 2), 137.33),
    Element(57, "La", "Lanthanum", "lanthanide", (2, 8, 18, 18, 9, 2), 138.91),
    Element(58, "Ce", "Cerium", "lanthanide", (2, 8, 18, 19, 9, 2), 140.12),
    Element(59, "Pr", "Praseodymium", "lanthanide", (2, 8, 18, 21, 8, 2), 140.91),
    Element(60, "Nd", "Neodymium", "lanthanide", (2, 8, 18, 22, 8, 2), 144.24),
    Element(61, "Pm", "Promethium", "lanthanide", (2, 8, 18, 23, 8, 2), 145),
    Element(62, "Sm", "Samarium", "lanthanide", (2, 8, 18, 24, 8, 2), 150.36),
    Element(63, "Eu", "Europium", "lanthanide", (2, 8, 18, 25, 8, 2), 151.96),
    Element(64, "Gd", "Gadolinium", "lanthanide", (2, 8, 18, 25, 9, 2), 157.25),
    Element(65, "Tb", "Terbium", "lanthanide", (2, 8, 18, 27, 8, 2), 158.93),
    Element(66, "Dy", "Dysprosium", "lanthanide", (2, 8, 18, 28, 8, 2), 162.50),
    Element(67, "Ho", "Holmium", "lanthanide", (2, 8, 18, 29, 8, 2), 164.93),
    Element(68, "Er", "Erbium", "lanthanide", (2, 8, 18, 30, 8, 2), 167.26),
    Element(69, "Tm", "Thulium", "lanthanide", (2, 8, 18, 31, 8, 2), 168.93),
    Element(70, "Yb", "Ytterbium", "lanthanide", (2, 8, 18, 32, 8, 2), 173.05),
    Element(71, "Lu", "Lutetium", "lanthanide", (2, 8, 18, 32, 9, 2), 174.97),
    Element(72, "Hf", "Hafnium", "transition metal", (2, 8, 18, 32, 10, 2), 178.49),
    Element(73, "Ta", "Tantalum", "transition metal", (2, 8, 18, 32, 11, 2), 180.95),
    Element(74, "W", "Tungsten", "transition metal", (2, 8, 18, 32, 12, 2), 183.84),
    Element(75, "Re", "Rhenium", "transition metal", (2, 8, 18, 32, 13, 2), 186.21),
    Element(76, "Os", "Osmium", "transition metal", (2, 8, 18, 32, 14, 2), 190.23),
    Element(77, "Ir", "Iridium", "transition metal", (2, 8, 18, 32, 15, 2), 192.22),
    Element(78, "Pt", "Platinum", "transition metal", (2, 8, 18, 32, 17, 1), 195.08),
    Element(79, "Au", "Gold", "transition metal", (2, 8, 18, 32, 18, 1), 196.97),
    Element(80, "Hg", "Mercury", "transition metal", (2, 8, 18, 32, 18, 2), 200.59),
    Element(81, "Tl", "Thallium", "post-transition metal", (2, 8, 18, 32, 18, 3), 204.38),
    Element(82, "Pb", "Lead", "post-transition metal", (2, 8, 18, 32, 18, 4), 207.2),
    Element(83, "Bi", "Bismuth", "post-transition metal", (2, 8, 18, 32, 18, 5), 208.98),
    Element(84, "Po", "Polonium", "post-transition metal", (2, 8, 18, 32, 18, 6), 209),
    Element(85, "At", "Astatine", "halogen", (2, 8, 18, 32, 18, 7), 210),
    Element(86, "Rn", "Radon", "noble gas", (2, 8, 18, 32, 18, 8), 222),
    Element(87, "Fr", "Francium", "alkali metal", (2, 8, 18, 32, 18, 8, 1), 223),
    Element(88, "Ra", "Radium", "alkaline earth metal", (2, 8, 18, 32, 18, 8, 2), 226),
    Element(89, "Ac", "Actinium", "actinide", (2, 8, 18, 32, 18, 9, 2), 227),
    Element(90, "Th", "Thorium", "actinide", (2, 8, 18, 32, 18, 10, 2), 232.04),
    Element(91, "Pa", "Protactinium", "actinide", (2, 8, 18, 32, 20, 9, 2), 231.04),
    Element(92, "U", "Uranium", "actinide", (2, 8, 18, 32, 21, 9, 2), 238.03),
    Element(93, "Np", "Neptunium", "actinide", (2, 8, 18, 32, 22, 9, 2), 237),
    Element(94, "Pu", "Plutonium", "actinide", (2, 8, 18, 32, 24, 8, 2), 244),
    Element(95, "Am", "Americium", "actinide", (2, 8, 18, 32, 25, 8, 2), 243),
    Element(96, "Cm", "Curium", "actinide", (2, 8, 18, 32, 25, 9, 2), 247),
    Element(97, "Bk", "Berkelium", "actinide", (2, 8, 18, 32, 27, 8, 2), 247),
    Element(98, "Cf", "Californium", "actinide", (2, 8, 18, 32, 28, 8, 2), 251),
    Element(99, "Es", "Einsteinium", "actinide", (2, 8, 18, 32, 29, 8, 2), 252),
    Element(100, "Fm", "Fermium", "actinide", (2, 8, 18, 32, 30, 8, 2), 257),
    Element(101, "Md", "Mendelevium", "actinide", (2, 8, 18, 32, 31, 8, 2), 258),
    Element(102, "No", "Nobelium", "actinide", (2, 8, 18, 32, 32, 8, 2), 259),
    Element(103, "Lr", "Lawrencium", "actinide", (2, 8, 18, 32, 32, 8, 3), 262),
    Element(104, "Rf", "Rutherfordium", "transition metal", (2, 8, 18, 32, 32, 10, 2), 267),
    Element(105, "Db", "Dubnium", "transition metal", (2, 8, 18, 32, 32, 11, 2), 268),
    Element(106, "Sg", "Seaborgium", "transition metal", (2, 8, 18, 32, 32, 12, 2), 269),
    Element(107, "Bh", "Bohrium", "transition metal", (2, 8, 18, 32, 32, 13, 2), 270),
    Element(108, "Hs", "Hassium", "transition metal", (2, 8, 18, 32, 32, 14, 2), 269),
    Element(109, "Mt", "Meitnerium", "transition metal", (2, 8, 18, 32, 32, 15, 2), 277),
    Element(110, "Ds", "Darmstadtium", "transition metal", (2, 8, 18, 32, 32, 16, 2), 281),
    Element(111, "Rg", "Roentgenium", "transition metal", (2, 8, 18, 32, 32, 17, 2), 282),
    Element(112, "Cn", "Copernicium", "transition metal", (2, 8, 18, 32, 32, 18, 2), 285),
    Element(113, "Nh", "Nihonium", "post-transition metal", (2, 8, 18, 32, 32, 18, 3), 286),
    Element(114, "Fl", "Flerovium", "post-transition metal", (2, 8, 18, 32, 32, 18, 4), 290),
    Element(115, "Mc", "Moscovium", "post-transition metal", (2, 8, 18, 32, 32, 18, 5), 290),
    Element(116, "Lv", "Livermorium", "post-transition metal", (2, 8, 18, 32, 32, 18, 6), 293),
    Element(117, "Ts", "Tennessine", "halogen", (2, 8, 18, 32, 32, 18, 7), 294),
    Element(118, "Og", "Oganesson", "noble gas", (2, 8, 18, 32, 32, 18, 8), 294),
)
"""All elements by atomic number, hydrogen first: element z is `ELEMENTS[z - 1]`."""

CATEGORIES: tuple[str, ...] = tuple(dict.fromkeys(element.category for element in ELEMENTS))
"""The families used in `Element.category`."""

BY_SYMBOL: dict[str, Element] = {element.symbol: element for element in ELEMENTS}
"""Elements by symbol, such as `Fe`."""


def element(z: int) -> Element:
    """Return the element with this atomic number.

    >>> element(26).symbol, BY_SYMBOL["Fe"].z
    ('Fe', 26)

    Raises:
        ValueError: the number is not between 1 and 118.
    """
    if not 1 <= z <= len(ELEMENTS):
        raise ValueError(f"no element has the atomic number {z}")
    return ELEMENTS[z - 1]

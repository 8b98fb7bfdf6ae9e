"""Runs the real action in scratch repositories, with act, against servers on loopback."""

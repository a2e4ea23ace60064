# tests of this folder

module high {
    requires low;
}
